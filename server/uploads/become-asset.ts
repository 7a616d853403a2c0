import { sql } from 'kysely'
import type { MediaDetails } from '../../contract/assets.ts'
import type { Finalize } from '../../contract/uploads.ts'
import { type AssetRow, assetColumns, toAsset } from '../assets/asset.ts'
import { tidySurfaces, tidyTags, tidyTitle, titleFromFilename } from '../assets/wording.ts'
import type { Trx } from '../db/database.ts'
import { askPrepared } from '../db/prepared.ts'
import { keepFolder } from '../folders/tree.ts'
import type { Change, Library } from '../library.ts'
import { notFound } from '../problems.ts'
import type { SessionRow } from './session.ts'
import type { Verified } from './verify.ts'

interface Making {
  claim: string
  place: string
  verified: Verified
  input: Finalize
  dates: Dates | undefined
}

/** When it was made and last changed elsewhere, for a library that moves in here. No request can say so. */
export interface Dates {
  createdAt: Date
  updatedAt: Date
}

/** The one moment in which a session becomes an asset. Undefined when the claim was lost to somebody else. */
export async function becomeAsset(
  its: Change,
  library: Library,
  session: SessionRow,
  making: Making,
): Promise<AssetRow | undefined> {
  if (!(await closeSession(its.trx, session, making.claim))) return undefined
  const { verified } = making
  const row = session.replaces_asset
    ? await replaceFile(its.trx, library, session, making)
    : await insertAsset(its.trx, library, session, making)
  await insertVersion(its.trx, library, session, making, row.version)
  await library.jobs.send(its.trx, 'media', jobData(row))
  if (!verified.checksums) await library.jobs.send(its.trx, 'checksum', jobData(row))

  its.tell('upload.finalized', session.id, { assetId: row.id, originalFilename: session.original_filename })
  its.tell(session.replaces_asset ? 'asset.replaced' : 'asset.created', row.id, { asset: toAsset(row) })
  its.count({ reserved: -session.expected_size_bytes, stored: verified.sizeBytes })
  return row
}

const jobData = (row: AssetRow) => ({ clientId: row.client_id, assetId: row.id, version: row.version })

async function closeSession(trx: Trx, session: SessionRow, claim: string): Promise<boolean> {
  const close = trx
    .updateTable('upload_sessions')
    .set({ status: 'finalized', claim: null, claimed_until: null, sweep_at: new Date() })
    .where('client_id', '=', session.client_id)
    .where('id', '=', session.id)
    .where('claim', '=', claim)
    .where('status', '=', 'open')
    .returning('id')
  return (await askPrepared(trx, close)).length > 0
}

async function insertAsset(
  trx: Trx,
  library: Library,
  session: SessionRow,
  { verified, input, dates }: Making,
): Promise<AssetRow> {
  const folderId = input.folderId === undefined ? session.folder_id : input.folderId
  await keepFolder(trx, library, folderId)
  const insert = trx
    .insertInto('assets')
    .values({
      client_id: session.client_id,
      id: session.asset_id,
      folder_id: folderId,
      title:
        input.title === undefined ? titleFromFilename(session.original_filename) : tidyTitle(input.title),
      description: input.description?.normalize('NFC') ?? '',
      alt_text: input.altText?.normalize('NFC').trim() ?? '',
      tags: tidyTags(input.tags ?? []),
      allowed_surfaces: tidySurfaces(input.allowedSurfaces ?? []),
      provenance: input.provenance ?? 'unknown',
      rights_expire_at: input.rightsExpireAt ?? null,
      created_by: library.caller.id,
      ...(dates && { created_at: dates.createdAt, updated_at: dates.updatedAt }),
      ...fileColumns(session, verified),
    })
    .returning(assetColumns)
  return (await askPrepared(trx, insert))[0]!
}

/** Version N+1 under the same ref: the words stay, the file changes. */
async function replaceFile(
  trx: Trx,
  library: Library,
  session: SessionRow,
  { verified, dates }: Making,
): Promise<AssetRow> {
  const row = await trx
    .updateTable('assets')
    .set({
      ...fileColumns(session, verified),
      updated_at: dates?.updatedAt ?? new Date(),
      media_state: 'pending',
      placeholder: null,
      media_problem: null,
      storyboard: null,
      perceptual_hash: null,
    })
    .set({ version: sql`version + 1`, revision: sql`revision + 1` })
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.asset_id)
    .where('trashed_at', 'is', null)
    .returning(assetColumns)
    .executeTakeFirst()
  if (!row) throw notFound('No asset outside the trash')
  return row
}

const fileColumns = (session: SessionRow, verified: Verified) => ({
  original_filename: session.original_filename,
  mime_type: verified.mimeType,
  size_bytes: verified.sizeBytes,
  sha256: verified.checksums?.sha256 ?? null,
  width: verified.width,
  height: verified.height,
  duration_seconds: verified.durationSeconds,
  details: JSON.stringify(detailsOf(verified)),
})

const detailsOf = (verified: Verified): MediaDetails => ({
  videoCodec: verified.videoCodec,
  audioCodec: verified.audioCodec,
  frameRate: verified.frameRate,
  colourSpace: verified.colourSpace,
  hasAlpha: verified.hasAlpha,
  isAnimated: verified.isAnimated,
  capturedAt: verified.capturedAt,
  hasGps: verified.hasGps,
})

const insertVersion = (
  trx: Trx,
  library: Library,
  session: SessionRow,
  { verified, place, dates }: Making,
  version: number,
) => {
  const insert = trx.insertInto('asset_versions').values({
    client_id: session.client_id,
    asset_id: session.asset_id,
    version,
    upload_id: session.id,
    object_prefix: place,
    crc32: verified.checksums?.crc32 ?? null,
    created_by: library.caller.id,
    ...(dates && { created_at: dates.createdAt }),
    ...fileColumns(session, verified),
  })
  return askPrepared(trx, insert)
}
