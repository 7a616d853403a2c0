import type { Selectable } from 'kysely'
import type { Batch, Provenance } from '../../contract/assets.ts'
import type { BatchRefusal } from '../../contract/batches.ts'
import type { Surface } from '../../contract/words.ts'
import type { FoldersTable, KeptChange } from '../db/schema.ts'
import { holdTree } from '../folders/tree.ts'
import type { Change, Library } from '../library.ts'
import { inUseAmong } from '../uses/in-use.ts'
import type { AssetRow } from './asset.ts'
import { type AssetColumns, askAgain, editRows, heldRows, restoreRows, trashRows } from './assets.ts'
import { type Merge, mergeAgain, mergesFrom, wayOf } from './merged.ts'

interface Field {
  of(row: AssetRow): unknown
  /** Gives all of these the same value again. */
  set(its: Change, library: Library, ids: string[], value: unknown, more?: AssetColumns): Promise<AssetRow[]>
}

const folder: Field = {
  of: (row) => row.folder_id,
  set: (its, library, ids, value) => editRows(its, library, ids, { folderId: value as string | null }),
}
const tags: Field = {
  of: (row) => row.tags,
  set: (its, library, ids, value) => editRows(its, library, ids, { tags: value as string[] }),
}
const surfaces: Field = {
  of: (row) => row.allowed_surfaces,
  set: (its, library, ids, value) => editRows(its, library, ids, { allowedSurfaces: value as Surface[] }),
}
const rights: Field = {
  of: (row) => row.rights_expire_at?.toISOString() ?? null,
  set: (its, library, ids, value) => editRows(its, library, ids, { rightsExpireAt: value as string | null }),
}
const provenance: Field = {
  of: (row) => row.provenance,
  set: (its, library, ids, value) => editRows(its, library, ids, { provenance: value as Provenance }),
}
const trashed: Field = {
  of: (row) => row.trashed_at?.toISOString() ?? null,
  set: (its, library, ids, value, more) =>
    value === null ? restoreRows(its, library, ids) : trashRows(its, library, ids, more),
}

const fields: Record<Batch['action'], Field> = {
  move: folder,
  tag: tags,
  untag: tags,
  surfaces,
  rights,
  provenance,
  trash: trashed,
  restore: trashed,
}

/** Those that an action has really changed, with what it takes to give it back. */
export function keptOf(
  action: Batch['action'],
  before: AssetRow[],
  after: AssetRow[],
  merges = new Map<string, Merge>(),
): KeptChange[] {
  const field = fields[action]
  const was = new Map(before.map((row) => [row.id, row]))
  return after
    .map((row) => {
      const old = was.get(row.id)!
      const kept = { id: row.id, before: field.of(old), after: field.of(row) }
      if (field !== trashed) return kept
      if (old.trashed_at) return { ...kept, ...restoredFrom(old, row, merges) }
      return old.folder_id === null ? kept : { ...kept, wasIn: old.folder_id }
    })
    .filter((kept) => !same(kept.before, kept.after))
}

function restoredFrom(old: AssetRow, row: AssetRow, merges: Map<string, Merge>) {
  const lay = { folderId: old.folder_id, leftIn: row.folder_id, with: old.trashed_with }
  const merge = merges.get(old.id)
  if (!merge) return { lay }
  const { into_id: into, pins, merged_at } = merge
  return { lay, merge: { into, pins, mergedAt: merged_at.toISOString(), version: old.version } }
}

/** Gives back what was changed, to those that are still as they were left. */
export async function takeBack(
  its: Change,
  library: Library,
  action: Batch['action'],
  changed: KeptChange[],
): Promise<{ changed: KeptChange[]; refused: BatchRefusal[] }> {
  const field = fields[action]
  const folderOf = ({ before, wasIn }: KeptChange) => (field === folder ? (before as string | null) : wasIn)
  // The tree before the assets, as everybody does; and no folder goes while something returns to it.
  await holdTree(its.trx, library)
  const folders = await foldersIn(
    its,
    library,
    changed.flatMap((kept) => [folderOf(kept), kept.lay?.folderId]),
  )
  const into = changed.flatMap(({ merge }) => (merge ? [merge.into] : []))
  const byId = new Map(
    (await heldRows(its, library, [...changed.map(({ id }) => id), ...into])).map((row) => [row.id, row]),
  )
  const ids = changed.map(({ id }) => id).filter((id) => byId.has(id))
  const inUse = field === trashed ? await inUseAmong(its.trx, library, ids) : new Set<string>()
  const merges = field === trashed ? await mergesFrom(its.trx, library, [...ids, ...into]) : undefined

  const isThere = (folderId: string) => folders.get(folderId)?.trashed_at === null
  const refusalOf = (kept: KeptChange): Omit<BatchRefusal, 'assetId'> | undefined => {
    const row = byId.get(kept.id)
    if (!row) return gone
    if (!same(field.of(row), kept.after) || (field !== trashed && row.trashed_at)) return changedSince
    const returnsTo = folderOf(kept)
    if (returnsTo && !isThere(returnsTo)) return folderGone
    if (field === trashed && kept.before !== null && inUse.has(kept.id)) return heldByUse
    if (wasMoved(kept, row) || wentOn(kept, row, merges)) return changedSince
    return undefined
  }
  const refused = changed.flatMap((kept) => {
    const problem = refusalOf(kept)
    return problem ? [{ assetId: kept.id, ...problem }] : []
  })
  const refusedIds = new Set(refused.map(({ assetId }) => assetId))
  const back = changed.filter(({ id }) => !refusedIds.has(id))

  await mergeAgain(its, library, mergesOf(back, byId))
  const after: AssetRow[] = []
  for (const some of Map.groupBy(back, ({ before, lay }) => JSON.stringify([before, lay])).values()) {
    const columns = trashColumns(library, some[0]!, folders)
    after.push(
      ...(await field.set(
        its,
        library,
        some.map(({ id }) => id),
        some[0]!.before,
        columns,
      )),
    )
  }
  const rows = ids.map((id) => byId.get(id)!)
  return { changed: keptOf(action, rows, await askAgain(its, library, rows, after), merges), refused }
}

/** Out of where a restore has put it. */
const wasMoved = ({ lay }: KeptChange, row: AssetRow) =>
  lay !== undefined && lay.folderId !== lay.leftIn && row.folder_id !== lay.leftIn

/** With a new file, or as the one that is kept: it is no duplicate of the other any more. */
const wentOn = ({ id, merge }: KeptChange, row: AssetRow, merges = new Map<string, Merge>()) =>
  merge !== undefined &&
  (row.version !== merge.version || merge.into === id || wayOf(merges, merge.into).includes(id))

/** Those whose other is still there, the first first. */
const mergesOf = (back: KeptChange[], byId: Map<string, AssetRow>) =>
  back
    .flatMap(({ id, merge }) =>
      merge && byId.has(merge.into) ? [{ ...merge, id, title: byId.get(id)!.title }] : [],
    )
    .sort((one, other) => one.mergedAt.localeCompare(other.mergedAt))

/** As it lay in the trash: with its folder if that is still there, and by itself as of now if not. */
function trashColumns(
  { limits }: Library,
  { before, lay }: KeptChange,
  folders: Map<string, FolderThere>,
): AssetColumns | undefined {
  if (!lay) return undefined
  const its = lay.folderId === null ? undefined : folders.get(lay.folderId)
  const isWith = lay.with !== null && its?.trashed_with === lay.with
  const trashedAt = new Date(before as string)
  // What would be purged at once has its time again.
  const isOver = trashedAt.getTime() < Date.now() - limits.trashDays * 86_400_000
  return {
    trashed_at: isOver || (lay.with !== null && !isWith) ? new Date() : trashedAt,
    trashed_with: isWith ? lay.with : null,
    ...(lay.folderId !== lay.leftIn && { folder_id: its?.id ?? null }),
  }
}

type FolderThere = Pick<Selectable<FoldersTable>, 'id' | 'trashed_at' | 'trashed_with'>

/** Also those in the trash. */
async function foldersIn(
  its: Change,
  { clientId }: Library,
  ids: unknown[],
): Promise<Map<string, FolderThere>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))]
  if (wanted.length === 0) return new Map()
  const rows = await its.trx
    .selectFrom('folders')
    .select(['id', 'trashed_at', 'trashed_with'])
    .where('client_id', '=', clientId)
    .where('id', 'in', wanted)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export const gone = { code: 'not-found', detail: 'No asset was found here under that id.' }
export const changedSince = {
  code: 'changed-meanwhile',
  detail: 'Somebody has changed it since. It stays as it is.',
}
const folderGone = { code: 'not-found', detail: 'The folder that it was in is not there any more.' }
export const heldByUse = {
  code: 'in-use',
  detail: 'A scheduled or running use holds it. Cancel that, or swap in another asset first.',
}
