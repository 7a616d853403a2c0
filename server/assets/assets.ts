import { sql, type UpdateObject } from 'kysely'
import type { AssetChange } from '../../contract/assets.ts'
import { refuseStale } from '../changes/revisions.ts'
import type { Schema } from '../db/schema.ts'
import { holdTree, keepFolder } from '../folders/tree.ts'
import { knownId } from '../ids.ts'
import { type Change, change, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { refuseInUse } from '../uses/in-use.ts'
import { changedUnasked, writeApproval } from './approval.ts'
import { type AssetRow, assetColumns, assetETag, assetRow, toAsset } from './asset.ts'
import { refuseContradiction } from './contradiction.ts'
import { refuseBadFraming } from './framing.ts'
import { leadNoMore } from './merged.ts'
import { tidySurfaces, tidyTags, tidyText, tidyTitle } from './wording.ts'

export async function editAsset(
  library: Library,
  assetId: string,
  input: AssetChange,
  ifMatch?: string,
): Promise<AssetRow> {
  return change(library, async (its) => {
    if (input.folderId !== undefined) await keepFolder(its.trx, library, input.folderId)
    const before = await heldRow(its, library, assetId)
    if (before.trashed_at) throw notFound('No asset outside the trash')
    refuseStale(assetETag(before), ifMatch)
    refuseBadFraming(before, input)
    refuseContradiction(before.evidence, input.provenance)
    await frameVersion(its, before, framingColumns(input))
    const edited = await editRows(its, library, [before.id], input)
    const [row] = await askAgain(its, library, [before], edited)
    return row!
  })
}

/** A focal point and crops are those of a file: a version keeps its own. */
async function frameVersion(its: Change, { client_id, id, version }: AssetRow, columns: FramingColumns) {
  if (Object.keys(columns).length === 0) return
  await its.trx
    .updateTable('asset_versions')
    .set(columns)
    .where('client_id', '=', client_id)
    .where('asset_id', '=', id)
    .where('version', '=', version)
    .execute()
}

export async function trashAsset(library: Library, assetId: string, ifMatch?: string): Promise<AssetRow> {
  return change(library, async (its) => {
    const before = await heldRow(its, library, assetId)
    if (before.trashed_at) throw notFound('No asset outside the trash')
    refuseStale(assetETag(before), ifMatch)
    const [row] = await trashRows(its, library, [before.id])
    return row!
  })
}

/** Asked twice, done once. */
export async function restoreAsset(library: Library, assetId: string): Promise<AssetRow> {
  return change(library, async (its) => {
    await holdTree(its.trx, library)
    const before = await heldRow(its, library, assetId)
    const [row] = before.trashed_at ? await restoreRows(its, library, [before.id]) : [before]
    return row!
  })
}

/** An asset that can be shown: trashed ones too, for the trash shows them. */
export const readAsset = (library: Library, assetId: string): Promise<AssetRow> =>
  assetRow(library.db, library, assetId)

/**
 * The rows, locked in one order, so that two batches over the same assets wait instead of dead-locking. For the
 * same reason whoever needs a folder or the tree to stay as it is holds that first, as trashing a folder does, and
 * versions are written after their asset.
 */
export const heldRows = (its: Change, library: Library, assetIds: string[]): Promise<AssetRow[]> =>
  its.trx
    .selectFrom('assets')
    .select(assetColumns)
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`id = any(${assetIds}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

export const editRows = (
  its: Change,
  library: Library,
  ids: string[],
  input: AssetChange,
): Promise<AssetRow[]> =>
  writeRows(its, library, ids, columnsOf(input), { type: 'asset.updated', changed: Object.keys(input) })

/** People answer anew for what an agent has changed of an approved file: how it is cut, or where and until when it may be used. */
export async function askAgain(
  its: Change,
  library: Library,
  before: AssetRow[],
  after: AssetRow[],
): Promise<AssetRow[]> {
  const changed = changedUnasked(library, before, after)
  if (changed.length === 0) return after
  await writeApproval(its, library, changed, 'pending', '')
  const ids = changed.map(({ id }) => id)
  const asked = await writeRows(its, library, ids, { approval: 'pending' }, ({ version }) => ({
    type: 'review.requested',
    version,
    note: '',
  }))
  const byId = new Map(asked.map((row) => [row.id, row]))
  return after.map((row) => byId.get(row.id) ?? row)
}

export async function trashRows(
  its: Change,
  library: Library,
  ids: string[],
  columns: AssetColumns = { trashed_at: new Date() },
): Promise<AssetRow[]> {
  await refuseInUse(its.trx, library, ids)
  return writeRows(its, library, ids, columns, { type: 'asset.trashed' })
}

/** Back into their folders, or to the top level where that is in the trash or gone. */
export async function restoreRows(its: Change, library: Library, ids: string[]): Promise<AssetRow[]> {
  await leadNoMore(its, library, ids)
  const folderIfThere = sql<string | null>`(select f.id from folders f
    where f.client_id = assets.client_id and f.id = assets.folder_id and f.trashed_at is null)`
  return writeRows(
    its,
    library,
    ids,
    { trashed_at: null, trashed_with: null, folder_id: folderIfThere },
    { type: 'asset.restored' },
  )
}

export type AssetColumns = UpdateObject<Schema, 'assets'>

type Told =
  | { type: 'asset.updated'; changed: string[] }
  | { type: 'asset.trashed' | 'asset.restored' }
  | { type: ReviewEvent; version: number; note: string }

type ReviewEvent = 'review.requested' | 'review.approved' | 'review.changes-requested' | 'review.withdrawn'

/** The one statement that changes assets: it counts the revision up and tells what happened. */
export async function writeRows(
  its: Change,
  library: Library,
  ids: string[],
  columns: AssetColumns,
  what: Told | ((row: AssetRow) => Told),
): Promise<AssetRow[]> {
  const rows = await its.trx
    .updateTable('assets')
    .set(columns)
    .set({ revision: sql`revision + 1`, updated_at: new Date() })
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .returning(assetColumns)
    .execute()
  for (const row of rows) {
    const { type, ...more } = typeof what === 'function' ? what(row) : what
    its.tell(type, row.id, { asset: toAsset(row), ...more })
  }
  return rows
}

export async function heldRow(its: Change, library: Library, assetId: string): Promise<AssetRow> {
  const [row] = await heldRows(its, library, [knownId('asset', assetId)])
  if (!row) throw notFound('No asset')
  return row
}

interface FramingColumns {
  focal_point?: string | null
  crops?: string
}

const framingColumns = ({ focalPoint, crops }: AssetChange): FramingColumns => ({
  ...(focalPoint !== undefined && { focal_point: focalPoint && JSON.stringify(focalPoint) }),
  ...(crops !== undefined && { crops: JSON.stringify(crops) }),
})

const columnsOf = (input: AssetChange): AssetColumns => ({
  ...framingColumns(input),
  ...(input.title !== undefined && { title: tidyTitle(input.title) }),
  ...(input.description !== undefined && { description: tidyText(input.description) }),
  ...(input.altText !== undefined && { alt_text: tidyText(input.altText).trim() }),
  ...(input.tags !== undefined && { tags: tidyTags(input.tags) }),
  ...(input.allowedSurfaces !== undefined && { allowed_surfaces: tidySurfaces(input.allowedSurfaces) }),
  ...(input.provenance !== undefined && { provenance: input.provenance }),
  ...(input.rightsExpireAt !== undefined && { rights_expire_at: input.rightsExpireAt }),
  ...(input.folderId !== undefined && { folder_id: input.folderId }),
})
