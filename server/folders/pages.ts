import type { FolderQuery, FolderTree } from '../../contract/folders.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { prepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { columns, type FolderRow, toFolder } from './tree.ts'

/** Where a page of folders ends, among all folders by name. */
export interface FolderPlace {
  nameOrder: string
  id: string
}

const mark = 'folders'

export const folderCursor = ({ name_order, id }: Pick<FolderRow, 'name_order' | 'id'>) =>
  writeCursor([mark, name_order, id])

/** The place a cursor names, if it is one of folders. */
export function folderPlace(cursor: string | undefined): FolderPlace | undefined {
  if (!cursor) return undefined
  const [kind, nameOrder, id] = readCursor(cursor, ['text', 'any', 'text'])
  return kind === mark ? { nameOrder: String(nameOrder), id } : undefined
}

type Located = FolderRow & { path: string[] }

const page = prepared<Located>(`
  with recursive page as (
    select ${columns.join(', ')} from folders
    where client_id = $1 and trashed_at is null and (name_order, id) > ($2, $3) order by name_order, id limit $4
  ), up as (
    select id as folder, parent_id, name, 0 as height from page
    union all
    select up.folder, f.parent_id, f.name, up.height + 1
    from up join folders f on f.client_id = $1 and f.id = up.parent_id
  ), paths as (
    select folder, array_agg(name order by height desc) as path from up group by folder
  )
  select page.*, paths.path from page join paths on paths.folder = page.id order by name_order, id`)

/** The folders of all levels by name, each with the names from the top down to itself. */
export async function folderPaths(
  library: Library,
  { limit = 200, cursor }: FolderQuery,
): Promise<{ folders: Located[]; nextCursor: string | null }> {
  const from = folderPlace(cursor)
  const rows = await page(library.db, library.clientId, from?.nameOrder ?? '', from?.id ?? '', limit + 1)
  const folders = rows.slice(0, limit)
  return { folders, nextCursor: rows.length > limit ? folderCursor(folders.at(-1)!) : null }
}

export async function folderTree(library: Library, query: FolderQuery): Promise<FolderTree> {
  const { folders, nextCursor } = await folderPaths(library, query)
  return { folders: folders.map((row) => toFolder(row, row.path.slice(0, -1))), nextCursor }
}
