import { createHash } from 'node:crypto'
import { type FolderQuery, FolderTree } from '../../contract/folders.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { prepared } from '../db/prepared.ts'
import { isoTime } from '../db/times.ts'
import type { Recognised } from '../http/recognised.ts'
import type { Library } from '../library.ts'
import { isProtectedRow } from './protected.ts'
import { columns, type FolderRow } from './tree.ts'

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

type TreeRow = Pick<FolderRow, 'id' | 'parent_id' | 'name' | 'name_order'> & {
  isProtected: boolean
  createdAt: string
  updatedAt: string
}

const treePage = prepared<TreeRow>(`
  select f.id, f.parent_id, f.name, f.name_order, ${isProtectedRow('f')} as "isProtected",
    f.created_at::text as "createdAt", f.updated_at::text as "updatedAt"
  from folders f where f.client_id = $1 and f.trashed_at is null and (f.name_order, f.id) > ($2, $3)
  order by f.name_order, f.id limit $4`)

/** The folders of all levels by name, page by page. */
export async function folderTree(
  { db, clientId }: Library,
  { limit = 200, cursor }: FolderQuery,
): Promise<FolderTree> {
  const from = folderPlace(cursor)
  const rows = await treePage(db, clientId, from?.nameOrder ?? '', from?.id ?? '', limit + 1)
  const last = rows.length > limit ? rows[limit - 1]! : undefined
  return {
    folders: rows.slice(0, limit).map((row) => ({
      folderId: row.id,
      clientId,
      name: row.name,
      parentId: row.parent_id ?? undefined,
      protected: row.isProtected,
      createdAt: isoTime(row.createdAt),
      updatedAt: isoTime(row.updatedAt),
      trashedAt: null,
    })),
    nextCursor: last ? folderCursor(last) : null,
  }
}

/**
 * Names the state of a client's tree by the last event that changed it, and of what is said of each folder. The client
 * is in it because the portal has one address for all; it is weak because answers may be compressed.
 */
export const treeTag = ({ clientId }: Library, { lastFolderEventId }: Recognised) =>
  `W/"${clientId}.${lastFolderEventId}.${shape}"`

const shape = createHash('sha256').update(JSON.stringify(FolderTree)).digest('base64url').slice(0, 8)
