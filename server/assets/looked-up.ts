import { sql } from 'kysely'
import type { Library } from '../library.ts'
import { facetsAlone, indexed, withoutFacets } from './facets.ts'
import { inLists, listed } from './lists.ts'
import {
  and,
  type Condition,
  conditionsOf,
  hasFewWords,
  havingTags,
  havingWords,
  idsWithin,
  leadOf,
  looksBelow,
  ofTheRow,
  placeOf,
  type Search,
  withFolders,
} from './search.ts'
import { seen, textOf, unseen } from './sought.ts'

/** How far a part of the library is read by itself, and how far by what an index knows of all. */
export interface Reach {
  /** A part with no more than these is read. */
  part: number
  /** Of so many that are the newest of all, so many that have what an index knows: there are many, of which it would take long to tell. */
  looked: number
  many: number
  /** Of more that an index knows those of the part are read. */
  index: number
}
export const usual: Reach = { part: 2_000, looked: 300, many: 6, index: 20_000 }

/** All that match, looked up. */
export const matched = (
  library: Library,
  query: Search,
  bounds: Condition[] = [],
  reach = usual,
  told = seen,
): Condition =>
  sql`${lookedUp(library, query, reach, told)} as assets where ${and([sql`true`, ...ofTheRow(query, told), ...havingWords(query, told, true), ...bounds])}`

/** Whether one index looks up all that match, whatever the values. */
export function isPlannedOnce(library: Library, query: Search): boolean {
  if (query.found) return true
  if (
    !hasFewWords(query) ||
    query.near ||
    query.placed ||
    query.used !== undefined ||
    query.duplicates !== undefined
  )
    return false
  // How many a range has in it depends on its ends.
  if (rangeOf(query).length > 0) return false
  if (inIndex(library, query).length > 0) return placeOf(library, query).length === 2
  return looksBelow(query) && ofTheRow(query).length === 0
}

/** All that may match. What one index knows together is left to it: the planner would read all of one that knows a part. */
export function lookedUp(library: Library, query: Search, reach = usual, told = seen): Condition {
  if (query.found)
    return sql`(select * from assets where client_id = ${textOf(library.clientId, told)} and id = any(${query.found}::text[]) offset 0)`
  if (looksBelow(query)) return inPart(library, query, reach, told) ?? inIndexes(library, query, told)
  const inBoth = inLists(library, query)
  if (inBoth)
    return sql`(select * from assets where ${and(conditionsOf(library, query, { singly: true }))} and id = any(array(${inBoth})) offset 0)`
  const list = listed(library, query)
  const lead = leadOf(query)
  if (list && lead.length > 0 && !query.q && query.tag === undefined)
    return sql`(select * from assets where ${and(conditionsOf(library, query))} and id = any(array(
      select id from assets where ${and([...placeOf(library, query), ...lead])} and id in (select asset_id from ${list})))
      offset 0)`
  // The index of that filter has its times, too.
  const between = query.from !== undefined || query.to !== undefined
  if (between && lead.length > 0 && !query.q && query.tag === undefined)
    return sql`(select * from assets where ${and(conditionsOf(library, query))} offset 0)`
  return inPart(library, query, reach, told) ?? inIndexes(library, query, told)
}

/** Where the planner sees no values, it is given no choice: the client stands in that index with whatever is sought. */
const inIndexes = (library: Library, query: Search, told: typeof seen): Condition =>
  told === unseen && !looksBelow(query)
    ? sql`(select * from (select * from assets where trashed_at is null and ${and(inIndex(library, query, told))} offset 0) as assets
        where ${and(conditionsOf(library, query, { isRead: true, told }))} offset 0)`
    : sql`(select * from assets where ${and([...conditionsOf(library, withoutFacets(query), { told }), ...indexed(library, query, told)])} offset 0)`

/** What the one index knows of it. */
const inIndex = (library: Library, query: Search, told = seen): Condition[] => [
  ...indexed(library, query, told),
  ...havingTags(library, query, told),
]

/**
 * All that may match in a part of the library, by what is less: its own, or what an index knows of all. The planner knows
 * of neither, and would ask of each in the part what only an index tells quickly. Undefined where there is not both.
 */
function inPart(library: Library, asked: Search, reach: Reach, told: typeof seen): Condition | undefined {
  if (!isInPart(library, asked)) return undefined
  const { below, query } = withFolders(library, asked)
  const known = inIndex(library, query, told)
  const part = partOf(library, query, told)!
  const there = and(placeOf(library, { everywhere: true }, told))
  const matches = and(conditionsOf(library, query, { isRead: true, told }))
  const isKnown = and(conditionsOf(library, facetsAlone(query), { isRead: true, told }))
  return sql`(with ${below}part as materialized (
      select count(*) <= ${sql.lit(reach.part)} as is_small from (select from ${part.rows} limit ${sql.lit(reach.part + 1)}) as its),
    sampled as materialized (
      select count(*) filter (where ${isKnown}) >= ${sql.lit(reach.many)} as are_many from (
        select * from assets where ${there} order by created_at desc, id desc limit ${sql.lit(reach.looked)}) as assets),
    known as materialized (
      select ctid as at, ${matches} as does_match from assets where trashed_at is null and ${and(known)}
        and (select not is_small and not are_many from part, sampled)
      limit ${sql.lit(reach.index + 1)}),
    way as materialized (
      select is_small or are_many or (select count(*) from known) > ${sql.lit(reach.index)} as is_of_part from part, sampled)
    select * from assets where ${there} and ${part.has} and ${matches} and (select is_of_part from way)
    union all
    select assets.* from known cross join lateral (select * from assets where ${there} and ctid = at offset 0) as assets
    where does_match and not (select is_of_part from way))`
}

/** Whether something that an index knows is sought in a part of the library. At worst, all of that part is read. */
export const isInPart = (library: Library, query: Search): boolean =>
  partOf(library, query) !== undefined && inIndex(library, query).length > 0 && !query.near && !query.placed

/** What an index of its own has all of: folders, a list, a range. */
export function partOf(
  library: Library,
  query: Search,
  told = seen,
): { rows: Condition; has: Condition; hashed?: Condition } | undefined {
  const list = listed(library, query, told)
  if (list && !looksBelow(query))
    return {
      rows: list,
      has: sql`id = any(array(select asset_id from ${list}))`,
      // What is used or there twice may be too much to hash; a collection has a limit.
      ...(query.collectionId !== undefined && {
        hashed: sql`(id in (select asset_id from ${list})) is true`,
      }),
    }
  const conditions = looksBelow(query)
    ? [sql`folder_id = any(${idsWithin(library, query)})`]
    : rangeOf(query, told)
  if (conditions.length === 0) return undefined
  return {
    rows: sql`assets where ${and([...placeOf(library, query, told), ...conditions])}`,
    has: and(conditions),
  }
}

const rangeOf = ({ rights, from, to, minBytes, maxBytes }: Search, told = seen): Condition[] =>
  ofTheRow({ rights, from, to, minBytes, maxBytes }, told)

/** Whether a range has more than are read by themselves. */
export async function isLarge(library: Library, query: Search): Promise<boolean> {
  const range = rangeOf(query)
  if (range.length === 0) return true
  const { rows } = await sql<{ large: boolean }>`select count(*) > ${sql.lit(usual.part)} as large from (
    select from assets where ${and([...placeOf(library, query), ...range])} limit ${sql.lit(usual.part + 1)}) as its`.execute(
    library.db,
  )
  return rows[0]!.large
}
