import { sql } from 'kysely'
import { type FileEvidence, isUnchecked } from '../../contract/evidence.ts'
import type { MediaType } from '../../contract/media-types.ts'
import { assetColumns, toAsset, type VersionRow, versionIfThere } from '../assets/asset.ts'
import { isOutage } from '../http/answers.ts'
import type { JobData } from '../jobs/jobs.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { sourceOf } from './preview.ts'

/** In one run. The next one goes on. */
const most = 100

/** Looks at files that were uploaded before it was looked for what they say of themselves: one after the other, and one of each client in turn. */
export async function readEvidence(parts: Parts): Promise<void> {
  for (const { client_id, asset_id, version: number } of await unread(parts)) {
    const library = makeLibrary(parts, client_id, system)
    const version = await versionIfThere(library.db, library, asset_id, number)
    if (version) await keep(library, version, await evidenceOf(library, version))
  }
}

/** The signature of a file that was too large for it to be checked while it was finalized. */
export async function checkSignature(
  parts: Parts,
  { clientId, assetId, version: number }: JobData['checksum'],
): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  const version = await versionIfThere(library.db, library, assetId, number)
  if (!version?.evidence || !isUnchecked(version.evidence)) return
  const type = version.mime_type as MediaType
  const found = await library.media.evidence(sourceOf(library, version), type).catch((error) => {
    if (isOutage(error)) throw error
    return undefined // what was found before stays
  })
  if (found) await keep(library, version, found)
}

async function evidenceOf(library: Library, version: VersionRow): Promise<FileEvidence> {
  try {
    return await library.media.evidence(sourceOf(library, version), version.mime_type as MediaType)
  } catch (error) {
    if (isOutage(error)) throw error
    return nothingSaid // and not asked again
  }
}

const nothingSaid: FileEvidence = {
  ...{ c2pa: null, digitalSourceType: null, generator: null },
  ...{ signature: null, credit: null, copyright: null },
}

/** Told only where there is something to tell. */
const keep = (library: Library, version: VersionRow, found: FileEvidence) =>
  change(library, async (its) => {
    const evidence = JSON.stringify(found)
    const saysSomething = Object.values(found).some((value) => value !== null)
    const asset = await its.trx
      .updateTable('assets')
      .set({ evidence })
      .$if(saysSomething, (update) => update.set({ revision: sql`revision + 1` }))
      .where('client_id', '=', library.clientId)
      .where('id', '=', version.asset_id)
      .where('version', '=', version.version)
      .returning(assetColumns)
      .executeTakeFirst()
    await its.trx
      .updateTable('asset_versions')
      .set({ evidence })
      .where('client_id', '=', library.clientId)
      .where('asset_id', '=', version.asset_id)
      .where('version', '=', version.version)
      .execute()
    if (asset && saysSomething)
      its.tell('asset.updated', asset.id, { asset: toAsset(asset), changed: ['evidence'] })
  })

const unread = async ({ db }: Parts) =>
  (
    await sql<Pick<VersionRow, 'client_id' | 'asset_id' | 'version'>>`
      select client_id, asset_id, version from asset_versions where evidence is null
      order by row_number() over (partition by client_id order by asset_id, version), client_id
      limit ${most}`.execute(db)
  ).rows
