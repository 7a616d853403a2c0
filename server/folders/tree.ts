import { type Selectable, sql } from 'kysely'
import type { Folder, FolderStep } from '../../contract/folders.ts'
import type { Reader, Trx } from '../db/database.ts'
import { pipelined } from '../db/prepared.ts'
import type { FoldersTable } from '../db/schema.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { isProtected } from './protected.ts'

export type FolderRow = Selectable<FoldersTable>

/** Serialises changes to the shape of one client's tree until the transaction ends. */
export const holdTree = (trx: Trx, { clientId }: Library) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`folders ${clientId}`}, 0))`.execute(trx)

/** The folders from the top level down to this one, itself last. */
export async function folderPath(db: Reader, library: Library, folderId: string): Promise<FolderRow[]> {
  const path = await pathIfThere(db, library, folderId)
  if (path.length === 0) throw notFound('No folder')
  return path
}

/** The same, or undefined: a trashed or foreign folder counts as absent. */
export async function pathIfThere(db: Reader, library: Library, folderId: string): Promise<FolderRow[]> {
  const { rows } = await sql<FolderRow>`
    with recursive up as (
      select f.*, 0 as height from folders f
      where f.client_id = ${library.clientId} and f.id = ${knownId('folder', folderId)} and f.trashed_at is null
      union all
      select f.*, up.height + 1 from up join folders f on f.client_id = up.client_id and f.id = up.parent_id
    )
    select * from up order by height desc`.execute(db)
  return rows
}

/** From the folder that was deleted down to this one, which went with it. */
async function trashedPath(db: Reader, library: Library, folderId: string): Promise<FolderRow[]> {
  const { rows } = await sql<FolderRow>`
    with recursive up as (
      select f.*, 0 as height from folders f
      where f.client_id = ${library.clientId} and f.id = ${knownId('folder', folderId)} and f.trashed_at is not null
      union all
      select f.*, up.height + 1 from up
      join folders f on f.client_id = up.client_id and f.id = up.parent_id and f.trashed_with = up.trashed_with
    )
    select * from up order by height desc`.execute(db)
  if (rows.length === 0) throw notFound('No folder in the trash')
  return rows
}

/** The path to the folder that is looked into, in the trash or not; at the top there is none. */
export async function pathInto(
  db: Reader,
  library: Library,
  { folderId, trashed }: { folderId?: string; trashed?: boolean },
): Promise<FolderRow[]> {
  if (folderId === undefined) return []
  return trashed ? trashedPath(db, library, folderId) : folderPath(db, library, folderId)
}

/** Right below this folder of the trash, or what was deleted by itself. */
export const underInTrash = (parentId: string | undefined) =>
  parentId === undefined
    ? sql<boolean>`folders.trashed_with = folders.id`
    : sql<boolean>`folders.parent_id = ${knownId('folder', parentId)} and folders.trashed_with <> folders.id`

export const columns = [
  'client_id',
  'id',
  'parent_id',
  'name',
  'name_key',
  'name_order',
  'revision',
  'created_at',
  'updated_at',
  'trashed_at',
  'trashed_with',
] as const satisfies (keyof FoldersTable)[]
const ofFolder = columns.map((column) => `f.${column}`).join(', ')

const pathAndChildren = pipelined<FolderRow & { height: number }>(`
  with recursive up as (
    select ${ofFolder}, 0 as height from folders f where f.client_id = $1 and f.id = $2 and f.trashed_at is null
    union all
    select ${ofFolder}, up.height + 1 from up join folders f on f.client_id = up.client_id and f.id = up.parent_id
  )
  select ${columns.join(', ')}, height from up
  union all
  (select ${ofFolder}, -1 from folders f
  where f.client_id = $1 and f.parent_id = $2 and f.trashed_at is null and (f.name_order, f.id) > ($3, $4)
  order by f.name_order, f.id limit $5)
  order by height desc, name_order, id`)

/** The path to a folder, and so many of the folders right below it. */
export async function folderWithChildren(
  db: Reader,
  library: Library,
  folderId: string,
  children: { limit: number; from: { nameOrder: string; id: string } | undefined },
): Promise<{ path: FolderRow[]; children: FolderRow[] }> {
  const { limit, from } = children
  const known = knownId('folder', folderId)
  const rows = await pathAndChildren(
    db,
    library.clientId,
    known,
    from?.nameOrder ?? '',
    from?.id ?? '',
    limit,
  )
  const path = rows.filter((row) => row.height >= 0)
  if (path.length === 0) throw notFound('No folder')
  return { path, children: rows.slice(path.length) }
}

/** Right below this folder, or at the top level. */
export const under = (parentId: string | null) =>
  parentId === null ? sql<boolean>`folders.parent_id is null` : sql<boolean>`folders.parent_id = ${parentId}`

/** The ids of the folder and of all below it that is not in the trash: an array, asked for once a query. */
export const idsBelow = (library: Library, folderId: string) => sql<string[]>`array(
  with recursive down as (
    select f.client_id, f.id from folders f
    where f.client_id = ${library.clientId} and f.id = ${folderId} and f.trashed_at is null
    union all
    select f.client_id, f.id from down
    join folders f on f.client_id = down.client_id and f.parent_id = down.id and f.trashed_at is null
  )
  select down.id from down)`

/** The folder and all below it that is not in the trash, with its depth below. */
export async function foldersBelow(
  db: Reader,
  library: Library,
  folderId: string,
): Promise<(FolderRow & { depth: number })[]> {
  const { rows } = await sql<FolderRow & { depth: number }>`
    with recursive down as (
      select f.*, 0 as depth from folders f
      where f.client_id = ${library.clientId} and f.id = ${folderId} and f.trashed_at is null
      union all
      select f.*, down.depth + 1 from down
      join folders f on f.client_id = down.client_id and f.parent_id = down.id and f.trashed_at is null
    )
    select * from down order by depth, name_order`.execute(db)
  return rows
}

/** The names from the top down to each of these folders. */
export async function pathsTo(
  db: Reader,
  { clientId }: Library,
  folderIds: string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<Pick<FolderRow, 'id' | 'parent_id' | 'name'>>`
    with recursive up as (
      select f.id, f.parent_id, f.name from folders f
      where f.client_id = ${clientId} and f.id = any(${folderIds}::text[])
      union
      select f.id, f.parent_id, f.name from up
      join folders f on f.client_id = ${clientId} and f.id = up.parent_id
    )
    select * from up`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = (id: string | null): string[] => {
    const folder = byId.get(id ?? '')
    return folder ? [...pathOf(folder.parent_id), folder.name] : []
  }
  return new Map(folderIds.map((id) => [id, pathOf(id)]))
}

/**
 * Makes sure that the folder is there, and stays out of the trash until the transaction ends. Whoever trashes a
 * folder locks its row before looking for what lies in it, so nothing slips in between.
 */
export async function keepFolder(trx: Trx, library: Library, folderId: string | null): Promise<void> {
  if (folderId === null) return
  const folder = await trx
    .selectFrom('folders')
    .select('id')
    .where('client_id', '=', library.clientId)
    .where('id', '=', knownId('folder', folderId))
    .where('trashed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!folder) throw notFound('No folder')
}

export const names = (path: FolderRow[]) => path.map((folder) => folder.name)

/** The names above a folder as far as they matter: only the two upper levels can be protected. */
export const namesAbove = (parent: { name: string; parent_id: string | null } | undefined) =>
  parent ? (parent.parent_id === null ? [parent.name] : ['…', parent.name]) : []

export const toSteps = (path: FolderRow[]): FolderStep[] =>
  path.map(({ id, name }) => ({ folderId: id, name }))

export const toFolder = (row: FolderRow, above: string[]): Folder => ({
  folderId: row.id,
  clientId: row.client_id,
  name: row.name,
  ...(row.parent_id !== null && { parentId: row.parent_id }),
  protected: isProtected([...above, row.name]),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  trashedAt: row.trashed_at?.toISOString() ?? null,
})

export const folderETag = (row: { revision: number }) => `"f${row.revision}"`
