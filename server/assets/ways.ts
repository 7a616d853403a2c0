import { type RawBuilder, sql } from 'kysely'
import { timesAsText } from '../db/times.ts'
import type { Library } from '../library.ts'
import { indexed } from './facets.ts'
import type { Order } from './orders.ts'
import { type Condition, conditionsOf, isNarrowed, leadOf, ofTheRow, placeOf, type Search } from './search.ts'

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
  const { most, order } = wanted
  const { from, to, minBytes, maxBytes } = query
  const range = order.ofEachFilter ? { from, to } : order.ofSizes ? { minBytes, maxBytes } : {}
  const lead = [...ofTheRow(range), ...(order.ofEachFilter ? leadOf(query) : [])]
  const near = await among<Row>(library, query, wanted, effort.looked, lead)
  if (near.length >= most) return near

  // No index tells which bytes are there twice: all of them would be compared.
  const byBytesAlone =
    query.duplicates !== undefined && !query.q && !isNarrowed({ ...query, duplicates: undefined })
  const isPromising = byBytesAlone || near.length >= effort.promising
  const few = isPromising ? undefined : await matching<Row>(library, query, wanted, effort.sorted)
  if (few || (!isPromising && effort.sorted < most)) return few
  for (const [looked, known] of [
    ...(order.ofEachFilter ? [] : [[effort.looked, ofTheRow(query)] as const]),
    [effort.looked * 10, lead] as const,
    [effort.lookedFurther, lead] as const,
  ]) {
    const further = await among<Row>(library, query, wanted, looked, known)
    if (further.length >= most) return further
  }
  return isPromising ? matching<Row>(library, query, wanted, effort.sorted) : undefined
}

/** Those that match among so many that come first, of all that are there or of those an index knows. */
async function among<Row>(
  library: Library,
  query: Search,
  { columns, order, bounds, most }: Wanted,
  looked: number,
  known: Condition[],
): Promise<Row[]> {
  const { rows } = await sql<Row>`${written}select ${columns} from (
      select * from assets where ${and([...placeOf(library, query), ...known, ...bounds])}
      order by ${order.by} limit ${sql.lit(looked)}) as assets
    where ${and(conditionsOf(library, query))} order by ${order.by} limit ${sql.lit(most)}`.execute(
    library.db,
  )
  return rows
}

/** All that match are looked up by what indexes say of them. */
async function matching<Row>(
  library: Library,
  query: Search,
  { columns, order, bounds, most }: Wanted,
  sorted: number,
): Promise<Row[] | undefined> {
  // Indexes of orders hold the sides of pictures, too, but far behind: the planner would read all of one.
  const { minWidth = 0, minHeight = 0, ...rest } = query
  const sides = [
    ...(minWidth > 0 ? [sql`width + 0 >= ${minWidth}`] : []),
    ...(minHeight > 0 ? [sql`height + 0 >= ${minHeight}`] : []),
  ]
  const conditions = and([...conditionsOf(library, rest), ...sides, ...bounds, ...indexed(query)])
  const { rows } = await sql<
    Row & { matches: number }
  >`${written}with matching as materialized (select ${sortKeys} from assets where ${conditions}),
    few as materialized (select * from matching limit ${sql.lit(sorted + 1)}),
    counted as (select count(*) as matches from few)
    select matches, page.* from counted left join lateral (
      select ${columns} from assets where client_id = ${library.clientId} and id = any(array(
        select id from few where matches <= ${sql.lit(sorted)} order by ${order.by} limit ${sql.lit(most)}))
    ) as page on true order by ${order.by}`.execute(library.db)
  const { matches } = rows[0]!
  return matches > sorted ? undefined : rows.slice(0, matches)
}

export const and = (conditions: Condition[]): RawBuilder<unknown> => sql.join(conditions, sql` and `)
