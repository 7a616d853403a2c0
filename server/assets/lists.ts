import { sql } from 'kysely'
import { isSearch } from '../../contract/searched-words.ts'
import type { Library } from '../library.ts'
import { and, type Condition, conditionsOf, ignoresFolders, type Search, wantsUsable } from './search.ts'
import { seen, textOf } from './sought.ts'
import { tagKey } from './wording.ts'

/** What is put in order without being read: those of a tag by time, with what other orders look at (0092-tagged-assets.sql). */
export function tagged({ clientId }: Library, { tag, trashed }: Search, told = seen): Condition | undefined {
  const [first] = [tag].flat()
  if (trashed || first === undefined) return undefined
  return sql`tagged_assets where client_id = ${textOf(clientId, told)} and tag_key = ${textOf(tagKey(first), told)}`
}

/** What is there in each order (0135-listed-assets.sql). */
export function listed({ clientId }: Library, query: Search, told = seen): Condition | undefined {
  const [list] = listsOf(query)
  if (query.trashed || list === undefined) return undefined
  return sql`listed_assets where client_id = ${textOf(clientId, told)} and list = ${textOf(list, told)}`
}

/** The ids of what is in each of several lists. */
export function inLists({ clientId }: Library, query: Search): Condition | undefined {
  const lists = listsOf(query)
  if (query.trashed || lists.length < 2) return undefined
  const [first, ...others] = lists.map(
    (list) =>
      sql`(select asset_id from listed_assets where client_id = ${clientId} and list = ${list}) as its`,
  )
  return sql`select asset_id from ${first} ${sql.join(
    others.map((other, at) => sql`join ${other}${sql.raw(String(at))} using (asset_id)`),
    sql` `,
  )}`
}

const listsOf = ({ collectionId, duplicates, used }: Search): string[] => [
  ...(collectionId === undefined ? [] : [collectionId]),
  ...(duplicates ? ['twins'] : []),
  ...(used ? ['used'] : []),
]

/**
 * What a list has, with what stands in it of each asset, as rows of `assets` (0147-facts-of-listed-assets.sql); and what is asked
 * of these. Undefined where more is asked for than stands there.
 */
export function toldInList(
  library: Library,
  query: Search,
  told = seen,
): { rows: Condition; matches: Condition } | undefined {
  const { collectionId, used, duplicates, ...rest } = query
  const list = listed(library, query, told)
  if (!list || listsOf(query).length > 1 || used === false || duplicates === false) return undefined
  if (isSearch(query.q ?? '') || query.tag !== undefined || query.near || query.found) return undefined
  if (query.surface && wantsUsable(library.caller)) return undefined
  return {
    rows: sql`(select client_id, asset_id as id, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height, approval,
      case when has_alt_text then ' ' else '' end as alt_text, rights_expire_at, allowed_surfaces, null as trashed_at
      from ${list}) as assets`,
    matches: and(
      conditionsOf(library, { ...rest, everywhere: ignoresFolders(query) }, { isRead: true, told }),
    ),
  }
}

/** The list that has all that is asked for: a client, no trash, and what the list is of. */
export function listAlone(library: Library, query: Search, told = seen): Condition | undefined {
  if (Array.isArray(query.tag) || conditionsOf(library, query).length !== 3) return undefined
  return tagged(library, query, told) ?? listed(library, query, told)
}
