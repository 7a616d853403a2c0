import { type RawBuilder, sql } from 'kysely'
import { askPrepared } from '../db/prepared.ts'
import { timesAsText } from '../db/times.ts'
import { idsBelow } from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { facetsAlone, indexed, withoutFacets } from './facets.ts'
import { isUnknown } from './known-words.ts'
import type { Order } from './orders.ts'
import {
  type Condition,
  conditionsOf,
  havingTags,
  havingWords,
  leadOf,
  looksBelow,
  ofTheRow,
  placeOf,
  type Search,
} from './search.ts'
import { unseen } from './sought.ts'
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
  reach?: Reach
}

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
const usual: Reach = { part: 2_000, looked: 300, many: 6, index: 20_000 }

/** To read more than these takes longer than to go through an index that knows them. */
const mostBesideIndex = 1_500

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
  const lead = [...ofTheRow(range, unseen), ...(order.ofEachFilter ? leadOf(query, unseen) : [])]
  const list = listFor(library, query, order)
  const alone = listAlone(library, query)
  // Those of a list lie all over the place, and to read one takes three times as long.
  const looked = !list ? effort.looked : alone ? most : Math.ceil(effort.looked / 3)
  const promising = Math.ceil((effort.promising / effort.looked) * looked * dearness(library, query, list))
  // An order whose index knows all that is asked for is gone through without reading what is left out.
  const inIndex = isInIndex(library, query, order)
  const further = inIndex ? looked : effort.lookedFurther
  const { near, found, isAll } = await nearby<Row>(
    library,
    query,
    wanted,
    { looked, promising, further },
    lead,
    list,
  )
  if (found.length >= most || isAll) return found
  if (near > 0 && inIndex) return among<Row>(library, query, wanted, most, ofTheRow(query, unseen))

  const isPromising = near >= promising
  if (isPromising) return matching<Row>(library, query, wanted, effort.sorted, effort.reach)
  if (!list && alone) return among<Row>(library, query, wanted, most, [], alone)
  const sorted = inIndex ? Math.min(effort.sorted, mostBesideIndex) : effort.sorted
  const few = await matching<Row>(library, query, wanted, sorted, effort.reach)
  if (few || effort.sorted < most) return few
  for (const [looked, known] of [
    ...(inIndex ? [[most, ofTheRow(query, unseen)] as const] : []),
    [effort.lookedFurther, lead] as const,
  ]) {
    const further = await among<Row>(library, query, wanted, looked, known, list)
    if (further.length >= most) return further
  }
  return undefined
}

/** How much more must match where the next ones are dear to read, or cheap to look up: a list and a filter's index are compared unread. */
function dearness(library: Library, query: Search, list: Condition | undefined): number {
  if (tagged(library, query)) return 3
  if (!listed(library, query)) return 1
  return list && leadOf(query).length > 0 ? 9 : 3
}

/** What a page is looked for in, where that is less than all there is: a filter's own index has it in the order of time alone. */
function listFor(library: Library, query: Search, order: Order): Condition | undefined {
  if (!order.ofEachFilter) return listed(library, query)
  return tagged(library, query) ?? (leadOf(query).length > 0 ? undefined : listed(library, query))
}

/** What is put in order without being read: those of a tag by time, with what other orders look at (0092-tagged-assets.sql). */
function tagged({ clientId }: Library, { tag, trashed }: Search): Condition | undefined {
  const [first] = [tag].flat()
  if (trashed || first === undefined) return undefined
  return sql`tagged_assets where client_id = ${clientId} and tag_key = ${tagKey(first)}`
}

/** What is there in each order (0135-listed-assets.sql). */
function listed({ clientId }: Library, query: Search): Condition | undefined {
  const list = query.collectionId ?? (query.duplicates ? 'twins' : query.used ? 'used' : undefined)
  if (query.trashed || list === undefined) return undefined
  return sql`listed_assets where client_id = ${clientId} and list = ${list}`
}

/** The list that has all that is asked for: a client, no trash, and what the list is of. */
export function listAlone(library: Library, query: Search): Condition | undefined {
  if (Array.isArray(query.tag) || conditionsOf(library, query).length !== 3) return undefined
  return tagged(library, query) ?? listed(library, query)
}

const isInIndex = (library: Library, query: Search, order: Order) =>
  !(order.ofEachFilter && leadOf(query).length > 0) &&
  !query.trashed &&
  placeOf(library, query).length === 2 &&
  conditionsOf(library, query).length === 2 + ofTheRow(query).length

/**
 * How many match among those that come first, and which; among more of them where those are promising. And whether there
 * are no more than were looked at.
 */
async function nearby<Row>(
  library: Library,
  query: Search,
  wanted: Wanted,
  { looked, promising, further }: { looked: number; promising: number; further: number },
  known: Condition[],
  list: Condition | undefined,
): Promise<{ near: number; found: Row[]; isAll: boolean }> {
  const { columns, order, most } = wanted
  const matches = and(conditionsOf(library, query, { isRead: true, told: unseen }))
  const few = first(library, query, wanted, sql.lit(looked), known, list)
  const more = sql`(select case when near < ${sql.lit(promising)} then ${sql.lit(looked)} else ${sql.lit(further)} end from sampled)`
  const rows = await askPrepared(
    library.db,
    sql<Row & { id: string | null; looked: number; near: number }>`${written}
    with sampled as materialized (
      select count(*) as looked, count(*) filter (where ${matches}) as near from (${few}) as assets)
    select looked, near, page.* from sampled left join lateral (
      select ${columns} from (${first(library, query, wanted, more, known, list)}) as assets where ${matches}
      order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}) as page on true order by ${order.by}`,
  )
  const { looked: were, near } = rows[0]!
  return { near, found: rows.filter(({ id }) => id !== null), isAll: were < looked }
}

/** Those that match among so many that come first. */
async function among<Row>(
  library: Library,
  query: Search,
  wanted: Wanted,
  looked: number,
  known: Condition[],
  list?: Condition,
): Promise<Row[]> {
  const { columns, order, most } = wanted
  return askPrepared(
    library.db,
    sql<Row>`${written}select ${columns}
    from (${first(library, query, wanted, sql.lit(looked), known, list)}) as assets
    where ${and(conditionsOf(library, query, { isRead: true, told: unseen }))}
    order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}`,
  )
}

/** So many that come first: of all that are there, of those an index knows, or of a list. */
function first(
  library: Library,
  query: Search,
  { order, bounds }: Wanted,
  looked: Condition,
  known: Condition[],
  list?: Condition,
): Condition {
  // By its name the order is known from outside, too: nothing is read behind the last that is wanted.
  const sortKey = sql`${order.key} as sort_key`
  const so = sql`order by ${order.by} limit ${looked}`
  if (!list)
    return sql`select *, ${sortKey} from assets where ${and([...placeOf(library, query, unseen), ...known, ...bounds])} ${so}`
  return sql`select assets.*, sort_key from (
      select *, ${sortKey} from (select client_id, asset_id as id, created_at, title, size_bytes from ${list}) as list
      where ${and([sql`true`, ...bounds])} ${so}) as list
    cross join lateral (select * from assets where client_id = list.client_id and id = list.id offset 0) as assets`
}

/** All that match are looked up by what indexes say of them. */
async function matching<Row>(
  library: Library,
  query: Search,
  { columns, order, bounds, most }: Wanted,
  sorted: number,
  reach?: Reach,
): Promise<Row[] | undefined> {
  // Not more than these are ever read; yet no plan is made for so few.
  const { rows } = await sql<
    Row & { matches: number }
  >`${written}with matching as materialized (select id, ${order.key} as sort_key from ${matched(library, query, bounds, reach)}),
    counted as (select count(*) as matches from (select from matching limit ${sql.lit(sorted + 1)}) as few)
    select matches, page.* from counted left join lateral (
      select ${columns} from assets where client_id = ${library.clientId} and id = any(array(
        select id from matching where matches <= ${sql.lit(sorted)}
        order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}))
    ) as page on true order by ${order.by}`.execute(library.db)
  const { matches } = rows[0]!
  return matches > sorted ? undefined : rows.slice(0, matches)
}

/** All that match, looked up. */
export const matched = (
  library: Library,
  query: Search,
  bounds: Condition[] = [],
  reach = usual,
): Condition =>
  sql`${lookedUp(library, query, reach)} as assets where ${and([sql`true`, ...ofTheRow(query), ...havingWords(query), ...bounds])}`

/** All that may match. What one index knows together is left to it: the planner would read all of one that knows a part. */
export function lookedUp(library: Library, query: Search, reach = usual): Condition {
  if (looksBelow(query)) return inPart(library, query, reach) ?? inIndexes(library, query)
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
  return inPart(library, query, reach) ?? inIndexes(library, query)
}

const inIndexes = (library: Library, query: Search): Condition =>
  sql`(select * from assets where ${and([...conditionsOf(library, withoutFacets(query)), ...indexed(library, query)])} offset 0)`

/**
 * All that may match in a part of the library, by what is less: its own, or what an index knows of all. The planner knows
 * of neither, and would ask of each in the part what only an index tells quickly. Undefined where there is not both.
 */
function inPart(library: Library, query: Search, reach: Reach): Condition | undefined {
  const inIndex = [...indexed(library, query), ...havingTags(library, query)]
  const part = partOf(library, query)
  if (!part || inIndex.length === 0 || query.near || query.placed) return undefined
  const there = and(placeOf(library, { everywhere: true }))
  const matches = and(conditionsOf(library, query, { isRead: true }))
  const isKnown = and(conditionsOf(library, facetsAlone(query), { isRead: true }))
  return sql`(with part as materialized (
      select count(*) <= ${sql.lit(reach.part)} as is_small from (select from ${part.rows} limit ${sql.lit(reach.part + 1)}) as its),
    sampled as materialized (
      select count(*) filter (where ${isKnown}) >= ${sql.lit(reach.many)} as are_many from (
        select * from assets where ${there} order by created_at desc, id desc limit ${sql.lit(reach.looked)}) as assets),
    known as materialized (
      select ctid as at from assets where ${there} and ${and(inIndex)}
        and (select not is_small and not are_many from part, sampled)
      limit ${sql.lit(reach.index + 1)}),
    way as materialized (
      select is_small or are_many or (select count(*) from known) > ${sql.lit(reach.index)} as is_of_part from part, sampled)
    select * from assets where ${there} and ${part.has} and ${matches} and (select is_of_part from way)
    union all
    select assets.* from known cross join lateral (select * from assets where ${there} and ctid = at offset 0) as assets
    where ${matches} and not (select is_of_part from way))`
}

/** What an index of its own has all of: folders, a list, a range. */
function partOf(library: Library, query: Search): { rows: Condition; has: Condition } | undefined {
  const list = listed(library, query)
  if (list && !looksBelow(query))
    return { rows: list, has: sql`id = any(array(select asset_id from ${list}))` }
  const { rights, from, to, minBytes, maxBytes } = query
  const conditions = looksBelow(query)
    ? [sql`folder_id = any(${idsBelow(library, query.folderId!)})`]
    : ofTheRow({ rights, from, to, minBytes, maxBytes })
  if (conditions.length === 0) return undefined
  return {
    rows: sql`assets where ${and([...placeOf(library, query), ...conditions])}`,
    has: and(conditions),
  }
}

export const and = (conditions: Condition[]): RawBuilder<unknown> => sql.join(conditions, sql` and `)
