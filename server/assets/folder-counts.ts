import { sql } from 'kysely'
import type { FolderCountQuery, FolderCounts } from '../../contract/folders.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'

/** How many assets each folder right below this one holds, with all that is below it. */
export async function countFolders(library: Library, { parentId }: FolderCountQuery): Promise<FolderCounts> {
  const below =
    parentId === undefined ? sql`parent_id is null` : sql`parent_id = ${knownId('folder', parentId)}`
  const { rows } = await sql<{ folderId: string; assets: number }>`
    with recursive down as (
      select id as top, id from folders
      where client_id = ${library.clientId} and ${below} and trashed_at is null
      union all
      select down.top, f.id from down
      join folders f on f.client_id = ${library.clientId} and f.parent_id = down.id and f.trashed_at is null
    ), inside as (
      select folder_id, count(*) as assets from assets
      where client_id = ${library.clientId} and folder_id is not null and trashed_at is null
      group by folder_id
    )
    select down.top as "folderId", coalesce(sum(inside.assets), 0)::bigint as assets
    from down left join inside on inside.folder_id = down.id
    group by down.top`.execute(library.db)
  return { counts: rows }
}
