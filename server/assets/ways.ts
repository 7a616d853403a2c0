import { type RawBuilder, sql } from 'kysely'
import { timesAsText } from '../db/times.ts'
import type { Library } from '../library.ts'
import { indexed, withoutFacets } from './facets.ts'
import { isUnknown } from './known-words.ts'
import type { Order } from './orders.ts'
import {
  type Condition,
  conditionsOf,
  havingWords,
  isNarrowed,
  leadOf,
  ofTheRow,
  placeOf,
  type Search,
} from './search.ts'
import { tagKey } from './wording.ts'

/**
 * A page is found in one of two ways: by going through all assets in their order until there are enough, or by putting in
 * order all those that match. Either takes for ever where the other is quick, and no statistics tell how rarely things
 * come together, or how far back. So each is tried as far as it is cheap.
 */
export interface Effort {
  /** Assets looked at one by one in their order, before those that match are looked up. */
  looked: number
  /** Of which so many matched: there are many, and the next ones are not far. */
  promising: number
  lookedFurther: number
  /** Those that match, put in order. */
  sorted: number
}

/** Times come as they are written: nobody counts with them. */
export const written = sql.raw(timesAsText)

/** What orders look at. */
export const sortKeys = sql`id, created_at, title, size_bytes`

export interface Wanted {
  /** Among them those that orders look at. */
  columns: Condition
  order: Order
  bounds: Condition[]
  most: number
}

/** The first rows, or undefined if there are many, far from each other. */
export async function cheaply<Row>(
  library: Library,
  query: Search,
  wanted: Wanted,
  effort: Effort,
): Promise<Row[] | undefined> {
  if (isUnknown(query)) return []
  const { most, order } = wanted
  const { from, to, minBytes, maxBytes } = query
  const range = order.ofEachFilter ? { from, to } : order.ofSizes ? { minBytes, maxBytes } : {}
  const lead = [...ofTheRow(range), ...(order.ofEachFilter ? leadOf(query) : [])]
  const tag = order.ofEachFilter ? tagOf(query) : undefined
  const { near, isAll } = await nearby<Row>(library, query, wanted, effort.looked, lead, tag)
  if (near.length >= most || isAll) return near
  // An order whose index knows all that is asked for is gone through without reading what is left out.
  if (near.length > 0 && isInIndex(library, query, order))
    return among<Row>(library, query, wanted, most, ofTheRow(query))

  // No index tells which bytes are there twice: all of them would be compared.
  const byBytesAlone =
    query.duplicates !== undefined && !query.q && !isNarrowed({ ...query, duplicates: undefined })
  const isPromising = byBytesAlone || near.length >= effort.promising
  if (!isPromising && !order.ofEachFilter && tagOf(query) !== undefined) {
    const tagged = await nearby<Row>(library, query, wanted, effort.looked, [], tagOf(query))
    if (tagged.near.length >= most || tagged.isAll) return tagged.near
  }
  const few = isPromising ? undefined : await matching<Row>(library, query, wanted, effort.sorted)
  if (few || (!isPromising && effort.sorted < most)) return few
  for (const [looked, known] of [
    ...(isInIndex(library, query, order) ? [[most, ofTheRow(query)] as const] : []),
    [effort.lookedFurther, lead] as const,
  ]) {
    const further = await among<Row>(library, query, wanted, looked, known, tag)
    if (further.length >= most) return further
  }
  return isPromising ? matching<Row>(library, query, wanted, effort.sorted) : undefined
}

const tagOf = ({ tag, trashed }: Search) => (trashed ? undefined : [tag].flat()[0])

const isInIndex = (library: Library, query: Search, order: Order) =>
  !(order.ofEachFilter && leadOf(query).length > 0) &&
  !query.trashed &&
  placeOf(library, query).length === 2 &&
  conditionsOf(library, query).length === 2 + ofTheRow(query).length

/** Those that match among so many that come first; and whether there are no more than were looked at. */
async function nearby<Row>(
  library: Library,
  query: Search,
  wanted: Wanted,
  looked: number,
  known: Condition[],
  tag: string | undefined,
): Promise<{ near: Row[]; isAll: boolean }> {
  const { columns, order, most } = wanted
  const { rows } = await sql<Row & { id: string | null; looked: number }>`${written}
    with nearest as materialized (${first(library, query, wanted, looked, known, tag)})
    select looked, page.* from (select count(*) as looked from nearest) as counted left join lateral (
      select ${columns} from nearest as assets where ${and(conditionsOf(library, query))}
      order by ${order.by} limit ${sql.lit(most)}) as page on true order by ${order.by}`.execute(library.db)
  return { near: rows.filter(({ id }) => id !== null), isAll: rows[0]!.looked < looked }
}

/** Those that match among so many that come first. */
async function among<Row>(
  library: Library,
  query: Search,
  wanted: Wanted,
  looked: number,
  known: Condition[],
  tag?: string,
): Promise<Row[]> {
  const { columns, order, most } = wanted
  const { rows } = await sql<Row>`${written}select ${columns}
    from (${first(library, query, wanted, looked, known, tag)}) as assets
    where ${and(conditionsOf(library, query))}
    order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}`.execute(library.db)
  return rows
}

/** So many that come first: of all that are there, of those an index knows, or of those that have a tag. */
function first(
  library: Library,
  query: Search,
  { order, bounds }: Wanted,
  looked: number,
  known: Condition[],
  tag?: string,
): Condition {
  // By its name the order is known from outside, too: nothing is read behind the last that is wanted.
  const sortKey = sql`${order.key} as sort_key`
  const so = sql`order by ${order.by} limit ${sql.lit(looked)}`
  if (tag === undefined)
    return sql`select *, ${sortKey} from assets where ${and([...placeOf(library, query), ...known, ...bounds])} ${so}`
  return sql`select assets.*, sort_key from (
      select *, ${sortKey} from (select client_id, asset_id as id, created_at, title, size_bytes from tagged_assets
        where client_id = ${library.clientId} and tag_key = ${tagKey(tag)}) as tagged
      where ${and([sql`true`, ...bounds])} ${so}) as tagged
    join assets using (client_id, id)`
}

/** All that match are looked up by what indexes say of them. */
async function matching<Row>(
  library: Library,
  query: Search,
  { columns, order, bounds, most }: Wanted,
  sorted: number,
): Promise<Row[] | undefined> {
  const { rows } = await sql<
    Row & { matches: number }
  >`${written}with matching as materialized (select ${sortKeys} from ${matched(library, query, bounds)}),
    few as materialized (select * from matching limit ${sql.lit(sorted + 1)}),
    counted as (select count(*) as matches from few)
    select matches, page.* from counted left join lateral (
      select ${columns} from assets where client_id = ${library.clientId} and id = any(array(
        select id from few where matches <= ${sql.lit(sorted)} order by ${order.by} limit ${sql.lit(most)}))
    ) as page on true order by ${order.by}`.execute(library.db)
  const { matches } = rows[0]!
  return matches > sorted ? undefined : rows.slice(0, matches)
}

/** All that match, looked up. */
export const matched = (library: Library, query: Search, bounds: Condition[] = []): Condition =>
  sql`${lookedUp(library, query)} as assets where ${and([sql`true`, ...ofTheRow(query), ...havingWords(query), ...bounds])}`

/** All that may match. What one index knows together is left to it: the planner would read all of one that knows a part. */
export const lookedUp = (library: Library, query: Search): Condition =>
  sql`(select * from assets where ${and([...conditionsOf(library, withoutFacets(query)), ...indexed(library, query)])} offset 0)`

export const and = (conditions: Condition[]): RawBuilder<unknown> => sql.join(conditions, sql` and `)
