import { sql } from 'kysely'
import type { FolderCountQuery, FolderCounts } from '../../contract/folders.ts'
import { under, underInTrash } from '../folders/tree.ts'
import type { Recognised } from '../http/recognised.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'

/** Events tell of all that changes what is counted, but not of what comes into the trash with a library that moves in. */
export const countTag = (
  { clientId }: Library,
  { recognised, query, id }: { recognised: Recognised | null; query: FolderCountQuery; id: string },
) => `W/"${clientId}.${query.trashed ? id : recognised!.lastEventId}"`

/** How many assets each folder right below this one holds, with all that is below it. */
export async function countFolders(
  library: Library,
  { parentId, trashed }: FolderCountQuery,
): Promise<FolderCounts> {
  const below = trashed
    ? underInTrash(parentId)
    : sql`${under(parentId === undefined ? null : knownId('folder', parentId))} and folders.trashed_at is null`
  // In the trash it tells with which folder each went; the living are counted by their index alone.
  const went = trashed ? sql`trashed_with` : sql`null`
  const { rows } = await sql<{ folderId: string | null; assets: number }>`
    with recursive down as (
      select id as top, id, trashed_with from folders
      where client_id = ${library.clientId} and ${below}
      union all
      select down.top, f.id, f.trashed_with from down
      join folders f on f.client_id = ${library.clientId} and f.parent_id = down.id
        and f.trashed_with is not distinct from down.trashed_with
    ), inside as (
      select folder_id, ${went} as trashed_with, count(*) as assets from assets
      where client_id = ${library.clientId} and folder_id is not null
        and ${trashed ? sql`trashed_at is not null and trashed_with is not null` : sql`trashed_at is null`}
      group by 1, 2
    )
    select down.top as "folderId", coalesce(sum(inside.assets), 0)::bigint as assets
    from down full join inside on inside.folder_id = down.id
      and coalesce(inside.trashed_with, '') = coalesce(down.trashed_with, '')
    group by down.top`.execute(library.db)
  // A full join is never made by comparing each with each, however few folders are expected; it has what lies elsewhere, too.
  return { counts: rows.filter((row): row is { folderId: string; assets: number } => row.folderId !== null) }
}
