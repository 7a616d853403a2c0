import type { Batch } from '../../contract/assets.ts'
import type { BatchRefusal } from '../../contract/batches.ts'
import type { Surface } from '../../contract/words.ts'
import { holdTree } from '../folders/tree.ts'
import type { Change, Library } from '../library.ts'
import { inUseAmong } from '../uses/in-use.ts'
import type { AssetRow } from './asset.ts'
import { askAgain, editRows, heldRows, restoreRows, trashRows } from './assets.ts'

/** What an action changes of an asset, and what it was. */
export interface Kept {
  id: string
  before: unknown
  after: unknown
}

interface Field {
  of(row: AssetRow): unknown
  /** Gives all of these the same value again. */
  set(its: Change, library: Library, ids: string[], value: unknown): Promise<AssetRow[]>
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
const trashed: Field = {
  of: (row) => row.trashed_at?.toISOString() ?? null,
  set: (its, library, ids, value) =>
    value === null ? restoreRows(its, library, ids) : trashRows(its, library, ids),
}

const fields: Record<Batch['action'], Field> = {
  move: folder,
  tag: tags,
  untag: tags,
  surfaces,
  trash: trashed,
  restore: trashed,
}

/** Those that an action has really changed, with what it takes to give it back. */
export function keptOf(action: Batch['action'], before: AssetRow[], after: AssetRow[]): Kept[] {
  const { of } = fields[action]
  const was = new Map(before.map((row) => [row.id, of(row)]))
  return after
    .map((row) => ({ id: row.id, before: was.get(row.id), after: of(row) }))
    .filter((kept) => !same(kept.before, kept.after))
}

/** Gives back what was changed, to those that are still as they were left. */
export async function takeBack(
  its: Change,
  library: Library,
  action: Batch['action'],
  changed: Kept[],
): Promise<{ changed: Kept[]; refused: BatchRefusal[] }> {
  const field = fields[action]
  // The tree before the assets, as everybody does; and no folder goes while something returns to it.
  await holdTree(its.trx, library)
  const folders = await foldersThere(
    its,
    library,
    field === folder ? changed.map(({ before }) => before) : [],
  )
  const rows = await heldRows(
    its,
    library,
    changed.map(({ id }) => id),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const inUse = field === trashed ? await inUseAmong(its.trx, library, [...byId.keys()]) : new Set<string>()

  const refusalOf = ({ id, before, after }: Kept): Omit<BatchRefusal, 'assetId'> | undefined => {
    const row = byId.get(id)
    if (!row) return gone
    if (!same(field.of(row), after) || (field !== trashed && row.trashed_at)) return changedSince
    if (field === folder && before !== null && !folders.has(before as string)) return folderGone
    if (field === trashed && before !== null && inUse.has(id)) return heldByUse
    return undefined
  }
  const refused = changed.flatMap((kept) => {
    const problem = refusalOf(kept)
    return problem ? [{ assetId: kept.id, ...problem }] : []
  })
  const refusedIds = new Set(refused.map(({ assetId }) => assetId))
  const back = changed.filter(({ id }) => !refusedIds.has(id))

  const after: AssetRow[] = []
  for (const some of Map.groupBy(back, ({ before }) => JSON.stringify(before)).values()) {
    const ids = some.map(({ id }) => id)
    after.push(...(await field.set(its, library, ids, some[0]!.before)))
  }
  return { changed: keptOf(action, rows, await askAgain(its, library, rows, after)), refused }
}

async function foldersThere(its: Change, { clientId }: Library, ids: unknown[]): Promise<Set<string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))]
  if (wanted.length === 0) return new Set()
  const rows = await its.trx
    .selectFrom('folders')
    .select('id')
    .where('client_id', '=', clientId)
    .where('id', 'in', wanted)
    .where('trashed_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export const gone = { code: 'not-found', detail: 'No asset was found here under that id.' }
const changedSince = {
  code: 'changed-meanwhile',
  detail: 'Somebody has changed it since. It stays as it is.',
}
const folderGone = { code: 'not-found', detail: 'The folder that it was in is not there any more.' }
export const heldByUse = {
  code: 'in-use',
  detail: 'A scheduled or running use holds it. Cancel that, or swap in another asset first.',
}
