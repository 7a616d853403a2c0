import { type Insertable, type OperationNodeSource, sql } from 'kysely'
import type { MediaDetails } from '../../contract/assets.ts'
import { isUnchecked } from '../../contract/evidence.ts'
import type { Finalize } from '../../contract/uploads.ts'
import { tellAsked } from '../assets/approval.ts'
import { type AssetRow, assetColumns, nothingMadeYet, toAsset } from '../assets/asset.ts'
import { refuseContradiction } from '../assets/contradiction.ts'
import { type Framing, refuseBadFraming } from '../assets/framing.ts'
import { tidySurfaces, tidyTags, tidyText, tidyTitle, titleFromFilename } from '../assets/wording.ts'
import type { Trx } from '../db/database.ts'
import { askPrepared } from '../db/prepared.ts'
import type { AssetsTable } from '../db/schema.ts'
import { keepFolder } from '../folders/tree.ts'
import type { Change, Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { claims } from './claims.ts'
import type { SessionRow } from './session.ts'
import type { Verified } from './verify.ts'

/** What can be said of an asset when it is made. */
export type AssetWords = Omit<Finalize, 'uploadToken'>

interface Making {
  claim: string
  place: string
  verified: Verified
  input: AssetWords
  past: Past | undefined
}

/** What is known of a file from elsewhere, for a library that moves in here. No request can say so. */
export interface Past {
  createdAt?: Date
  updatedAt?: Date
  framing?: Framing
  version?: number
  /** Of the asset itself: since when it is there, its place in the trash, a legal hold. */
  asset?: Pick<
    Insertable<AssetsTable>,
    'created_at' | 'folder_id' | 'trashed_at' | 'trashed_with' | 'held_at' | 'held_by' | 'hold_reason'
  >
}

/** The one moment in which a session becomes an asset. Undefined when the claim was lost to somebody else. */
export async function becomeAsset(
  its: Change,
  library: Library,
  session: SessionRow,
  making: Making,
): Promise<MadeAsset | undefined> {
  const { verified, input, past } = making
  // What was said elsewhere comes along as it is, and is shown to be contradicted.
  if (!past) refuseContradiction(verified.evidence, input.provenance)
  refuseBadFraming({ ...verified, mime_type: verified.mimeType }, past?.framing ?? {})
  const asset = session.replaces_asset
    ? replaceFile(its.trx, library, session, making)
    : insertAsset(its.trx, library, session, making, await keptFolder(its.trx, library, session, making))
  const row = await madeOnce(its.trx, library, session, making, asset)
  if (!row) return undefined
  await library.jobs.send(its.trx, 'media', jobData(row))
  if (!verified.checksums || isUnchecked(verified.evidence))
    await library.jobs.send(its.trx, 'checksum', jobData(row))

  its.tell('upload.finalized', session.id, { assetId: row.id, originalFilename: session.original_filename })
  its.tell(session.replaces_asset ? 'asset.replaced' : 'asset.created', row.id, { asset: toAsset(row) })
  if (row.approval === 'pending') tellAsked(its, row)
  its.count({ reserved: -session.expected_size_bytes, stored: verified.sizeBytes })
  return row
}

const jobData = (row: AssetRow) => ({ clientId: row.client_id, assetId: row.id, version: row.version })

const closeSession = (trx: Trx, session: SessionRow, claim: string) =>
  trx
    .updateTable('upload_sessions')
    .set({ status: 'finalized', ...claims.givenBack, sweep_at: new Date() })
    .where('client_id', '=', session.client_id)
    .where('id', '=', session.id)
    .where(claims.isHeldBy(claim))
    .where('status', '=', 'open')
    .returning('id')

async function keptFolder(trx: Trx, library: Library, session: SessionRow, { input }: Making) {
  const folderId = input.folderId === undefined ? session.folder_id : input.folderId
  await keepFolder(trx, library, folderId)
  return folderId
}

const insertAsset = (
  trx: Trx,
  library: Library,
  session: SessionRow,
  { verified, input, past }: Making,
  folderId: string | null,
) => {
  const columns: Insertable<AssetsTable> = {
    client_id: session.client_id,
    id: session.asset_id,
    folder_id: folderId,
    title: input.title === undefined ? titleFromFilename(session.original_filename) : tidyTitle(input.title),
    description: tidyText(input.description ?? ''),
    alt_text: tidyText(input.altText ?? '').trim(),
    tags: tidyTags(input.tags ?? []),
    allowed_surfaces: tidySurfaces(input.allowedSurfaces ?? []),
    provenance: input.provenance ?? 'unknown',
    rights_expire_at: input.rightsExpireAt ?? null,
    created_by: library.caller.id,
    ...(past?.createdAt && { created_at: past.createdAt }),
    ...(past?.updatedAt && { updated_at: past.updatedAt }),
    ...(past?.version && { version: past.version }),
    ...past?.asset,
    ...fileColumns(session, verified, past),
  }
  return trx
    .insertInto('assets')
    .columns(Object.keys(columns) as (keyof AssetsTable)[])
    .expression(sql`select ${sql.join(Object.values(columns))} from closed`)
    .returning(assetColumns)
}

/** Version N+1 under the same ref: the words stay, the file changes. */
const replaceFile = (trx: Trx, library: Library, session: SessionRow, { verified, past }: Making) =>
  trx
    .updateTable('assets')
    .set({
      ...fileColumns(session, verified, past),
      focal_guess: null,
      approval: sql`case when approval = 'none' then 'none' else 'pending' end`,
      updated_at: past?.updatedAt ?? new Date(),
      ...nothingMadeYet,
    })
    .set({ version: past?.version ?? sql`version + 1`, revision: sql`revision + 1` })
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.asset_id)
    .where(sql<boolean>`exists (select from closed)`)
    .$if(!past, (update) => update.where('trashed_at', 'is', null))
    .returning(assetColumns)

const fileColumns = (session: SessionRow, verified: Verified, past: Past | undefined) => ({
  original_filename: session.original_filename,
  mime_type: verified.mimeType,
  size_bytes: verified.sizeBytes,
  sha256: verified.checksums?.sha256 ?? null,
  width: verified.width,
  height: verified.height,
  duration_seconds: verified.durationSeconds,
  details: JSON.stringify(detailsOf(verified)),
  focal_point: past?.framing?.focalPoint ? JSON.stringify(past.framing.focalPoint) : null,
  crops: JSON.stringify(past?.framing?.crops ?? {}),
  evidence: JSON.stringify(verified.evidence),
})

const fileColumnNames = sql.raw(
  'original_filename, mime_type, size_bytes, sha256, width, height, duration_seconds, details, focal_point, crops, evidence, approval',
)

const detailsOf = (verified: Verified): MediaDetails => ({
  videoCodec: verified.videoCodec,
  audioCodec: verified.audioCodec,
  frameRate: verified.frameRate,
  colourSpace: verified.colourSpace,
  hasAlpha: verified.hasAlpha,
  isAnimated: verified.isAnimated,
  isTurned: verified.isTurned,
  capturedAt: verified.capturedAt,
  hasGps: verified.hasGps,
})

/** The asset, and another of the same client with the very same bytes, so that a person can decide. */
export type MadeAsset = AssetRow & { twin_id: string | null }

const twinId = sql`(
  select id from assets where client_id = made.client_id and sha256 = made.sha256 and id <> made.id
    and trashed_at is null order by id limit 1
)`

export async function madeAsset(library: Library, assetId: string): Promise<MadeAsset> {
  const [row] = await askPrepared(
    library.db,
    sql<MadeAsset>`
    select ${sql.join(assetColumns.map((column) => sql.ref(`made.${column}`)))}, ${twinId} as twin_id
    from assets as made where client_id = ${library.clientId} and id = ${assetId}`,
  )
  if (!row) throw notFound('No asset')
  return row
}

/** Closes the session if the claim still holds, and writes the asset together with the version that its file is. */
async function madeOnce(
  trx: Trx,
  library: Library,
  session: SessionRow,
  { claim, verified, place, past }: Making,
  asset: OperationNodeSource,
): Promise<MadeAsset | undefined> {
  const [row] = await askPrepared(
    trx,
    sql<MadeAsset>`
    with closed as (${closeSession(trx, session, claim)}), made as (${asset}), kept as (
      insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, crc32, created_by,
        created_at, ${fileColumnNames})
      select client_id, id, version, ${session.id}, ${place}, ${verified.checksums?.crc32 ?? null}::bigint,
        ${library.caller.id}, coalesce(${past?.createdAt ?? null}::timestamptz, now()), ${fileColumnNames}
      from made
    )
    select made.*, ${twinId} as twin_id from closed left join made on true`,
  )
  if (row?.id === null) throw notFound('No asset outside the trash')
  return row
}
