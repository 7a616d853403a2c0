import { sql } from 'kysely'
import type { Library } from '../library.ts'
import { type Condition, conditionsOf, type Search } from './search.ts'
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

/** The list that has all that is asked for: a client, no trash, and what the list is of. */
export function listAlone(library: Library, query: Search, told = seen): Condition | undefined {
  if (Array.isArray(query.tag) || conditionsOf(library, query).length !== 3) return undefined
  return tagged(library, query, told) ?? listed(library, query, told)
}
