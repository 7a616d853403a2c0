import type { Selectable, Updateable } from 'kysely'
import type { Asset, Provenance } from '../../contract/assets.ts'
import { type Evidence, saysOf } from '../../contract/evidence.ts'
import type { Surface } from '../../contract/words.ts'
import type { Reader } from '../db/database.ts'
import { pipelined } from '../db/prepared.ts'
import type { AssetsTable, AssetVersionsTable } from '../db/schema.ts'
import { inIso, type Written } from '../db/times.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'

export type AssetRow = Omit<Selectable<AssetsTable>, 'search_text' | 'tag_keys' | 'perceptual_hash'>
export type VersionRow = Selectable<AssetVersionsTable>

/** What of a row makes the record: everything but what only search and comparison look at. */
export const assetColumns = [
  'client_id',
  'id',
  'folder_id',
  'title',
  'description',
  'alt_text',
  'tags',
  'allowed_surfaces',
  'provenance',
  'rights_expire_at',
  'original_filename',
  'mime_type',
  'size_bytes',
  'sha256',
  'width',
  'height',
  'duration_seconds',
  'details',
  'focal_guess',
  'focal_point',
  'crops',
  'evidence',
  'version',
  'approval',
  'media_state',
  'placeholder',
  'media_problem',
  'storyboard',
  'proxy_state',
  'proxy_problem',
  'revision',
  'created_at',
  'created_by',
  'updated_at',
  'trashed_at',
  'trashed_with',
  'held_at',
  'held_by',
  'hold_reason',
] as const satisfies (keyof AssetsTable)[]

/** For a file that is new to the asset: what was made of the one before says nothing of it. */
export const nothingMadeYet = {
  media_state: 'pending',
  placeholder: null,
  media_problem: null,
  storyboard: null,
  proxy_state: null,
  proxy_problem: null,
  perceptual_hash: null,
} as const satisfies Partial<Updateable<AssetsTable>>

export const toAsset = (row: AssetRow | Written<AssetRow>): Asset => ({
  assetId: row.id,
  assetRef: row.id,
  clientId: row.client_id,
  folderId: row.folder_id,
  title: row.title,
  description: row.description,
  altText: row.alt_text,
  tags: row.tags,
  allowedSurfaces: row.allowed_surfaces as Surface[],
  provenance: row.provenance,
  evidence: toEvidence(row),
  rightsExpireAt: row.rights_expire_at && inIso(row.rights_expire_at),
  originalFilename: row.original_filename,
  mimeType: row.mime_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  width: row.width,
  height: row.height,
  durationSeconds: row.duration_seconds,
  focalPoint: row.focal_point ?? row.focal_guess,
  focalPointIsGuess: row.focal_point === null && row.focal_guess !== null,
  crops: row.crops,
  version: row.version,
  approval: row.approval,
  media: {
    state: row.media_state,
    placeholder: row.placeholder,
    problem: row.media_problem,
    storyboard: row.storyboard,
    proxy: row.proxy_state && { state: row.proxy_state, problem: row.proxy_problem },
  },
  details: row.details,
  createdAt: inIso(row.created_at),
  createdBy: row.created_by,
  updatedAt: inIso(row.updated_at),
  trashedAt: row.trashed_at && inIso(row.trashed_at),
  hold:
    row.held_at === null
      ? null
      : { reason: row.hold_reason!, heldBy: row.held_by!, heldAt: inIso(row.held_at) },
})

function toEvidence({ evidence, provenance }: Pick<AssetRow, 'evidence' | 'provenance'>): Evidence | null {
  if (!evidence) return null
  const says = saysOf(evidence)
  const contradicts = says !== null && denies[says].includes(provenance)
  return { ...evidence, says, contradicts }
}

/** Stock may be of either kind. */
const denies: Record<NonNullable<Evidence['says']>, Provenance[]> = {
  camera: ['generated'],
  generated: ['camera'],
}

export const assetETag = (row: { revision: number }) => `"a${row.revision}"`

/** One asset, in the trash or not. */
export async function assetRow(db: Reader, library: Library, assetId: string): Promise<AssetRow> {
  const [row] = await rowById(db, library.clientId, knownId('asset', assetId))
  if (!row) throw notFound('No asset')
  return row
}

const rowById = pipelined<AssetRow>(
  `select ${assetColumns.join(', ')} from assets where client_id = $1 and id = $2`,
)

/** A version of an asset: the one asked for, or the current one. */
export async function versionRow(
  db: Reader,
  library: Library,
  assetId: string,
  version?: number,
): Promise<VersionRow> {
  const row = await versionIfThere(db, library, assetId, version)
  if (!row) throw notFound('No asset')
  return row
}

/** The same, or undefined: a job may run after the asset is gone. */
export const versionIfThere = (
  db: Reader,
  library: Library,
  assetId: string,
  version?: number,
): Promise<VersionRow | undefined> =>
  db
    .selectFrom('asset_versions')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', knownId('asset', assetId))
    .$if(version !== undefined, (query) => query.where('version', '=', version!))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

export const originalKey = (version: { object_prefix: string }) => `${version.object_prefix}/original`
