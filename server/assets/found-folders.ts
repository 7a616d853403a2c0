import { type RawBuilder, sql } from 'kysely'
import type { AssetQuery } from '../../contract/search.ts'
import { searchedWords, unwantedWords } from '../../contract/searched-words.ts'
import type { FolderPlace } from '../folders/pages.ts'
import { columns, type FolderRow, idsBelow, namesAbove, under, underInTrash } from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { and, type Condition, containing } from './search.ts'
import { unseen } from './sought.ts'

export interface FolderPage {
  from: FolderPlace | undefined
  limit: number
}

/** A folder, with the names above it as far as they matter. */
export interface FolderFound {
  row: FolderRow
  above: string[]
}

/** As it comes from the database, or out of JSON. */
export type FoundRow = FolderRow & { parent_name: string | null; grandparent_id: string | null }

/** The question for a page of the folders that a search shows. */
export function foldersFound(
  library: Library,
  query: AssetQuery,
  { from, limit }: FolderPage,
): RawBuilder<FoundRow> {
  const conditions: Condition[] = [sql`folders.client_id = ${unseen(sql`${library.clientId}::text`)}`]
  if (query.trashed) conditions.push(underInTrash(query.folderId))
  else {
    conditions.push(sql`folders.trashed_at is null`)
    if (!looksFurther(query)) conditions.push(under(query.folderId ?? null))
    else if (!query.everywhere && query.folderId !== undefined)
      conditions.push(sql`folders.parent_id = any(${idsBelow(library, query.folderId)})`)
  }
  for (const word of searchedWords(query.q))
    conditions.push(sql`folders.search_text like ${unseen(sql`${containing(word)}::text`)}`)
  for (const word of unwantedWords(query.q))
    conditions.push(sql`folders.search_text not like ${unseen(sql`${containing(word)}::text`)}`)
  if (from)
    conditions.push(sql`(folders.name_order, folders.id) > (${from.nameOrder}::text, ${from.id}::text)`)
  return sql<FoundRow>`select ${ofFolder}, parent.name as parent_name, parent.parent_id as grandparent_id
    from folders left join folders as parent on parent.client_id = folders.client_id and parent.id = folders.parent_id
    where ${and(conditions)} order by folders.name_order, folders.id limit ${sql.lit(limit)}`
}

export const looksFurther = ({ everywhere, below }: AssetQuery) => !!everywhere || !!below

const ofFolder = sql.raw(columns.map((column) => `folders.${column}`).join(', '))

export const toFound = ({ parent_name, grandparent_id, ...row }: FoundRow): FolderFound => ({
  row: { ...row, created_at: new Date(row.created_at), updated_at: new Date(row.updated_at) },
  above: parent_name === null ? [] : namesAbove({ name: parent_name, parent_id: grandparent_id }),
})
