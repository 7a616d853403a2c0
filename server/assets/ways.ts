import { sql } from 'kysely'
import { askPrepared } from '../db/prepared.ts'
import { timesAsText } from '../db/times.ts'
import type { Library } from '../library.ts'
import { isUnknown } from './known-words.ts'
import { listAlone, listed, tagged, toldInList } from './lists.ts'
import { isInPart, isLarge, isPlannedOnce, matched, type Reach } from './looked-up.ts'
import type { Order } from './orders.ts'
import {
  and,
  type Condition,
  conditionsOf,
  leadOf,
  ofTheRow,
  placeOf,
  type Search,
  withFolders,
} from './search.ts'
import { seen, textOf, unseen } from './sought.ts'

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
  /** Entries of a list in which all stands that is asked for. */
  walked?: number
  reach?: Reach
}

/** To read more than these takes longer than to go through an index that knows them. */
const mostBesideIndex = 700

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
  const inList = await throughList<Row>(library, query, wanted, effort)
  if (inList) return inList
  const { most, order } = wanted
  const { from, to, minBytes, maxBytes } = query
  const range = order.ofEachFilter ? { from, to } : order.ofSizes ? { minBytes, maxBytes } : {}
  const lead = [...ofTheRow(range, unseen), ...(order.ofEachFilter ? leadOf(query, unseen) : [])]
  const list = listFor(library, query, order)
  const alone = listAlone(library, query, unseen)
  // Those of a list lie all over the place, and to read one takes three times as long.
  const looked = !list ? effort.looked : alone ? most : Math.ceil(effort.looked / 3)
  const promising = Math.ceil((effort.promising / effort.looked) * looked * dearness(library, query))
  // To look up those of a part may take far longer than to go on, if not as far.
  const hopeful = isInPart(library, query) ? Math.min(promising, Math.ceil(effort.promising / 2)) : promising
  // An order whose index knows all that is asked for is gone through without reading what is left out.
  const inIndex = isInIndex(library, query, order)
  const further = inIndex ? looked : effort.lookedFurther
  const known = ofTheRow(knownIn(order, query).known, unseen)
  // Of a filter with an index of its own in this order the sample tells nothing about all others.
  const hasLead = order.ofEachFilter && leadOf(query).length > 0
  const knowsSome =
    known.length > ofTheRow(range).length && !inIndex && !hasLead && (!list || !!tagged(library, query))
  const { near, isWalkable, found, isAll } = await nearby<Row>(
    library,
    query,
    wanted,
    knowsSome
      ? { looked, promising: Math.max(promising, most / 6), further, knowsSome }
      : { looked, promising, hopeful, further, knowsSome },
    lead,
    list,
  )
  if (found.length >= most || isAll) return found
  // One that knows a part of it is gone through as well: what has that part is read for the rest. In the order of time what
  // is old or new may all be at its beginning: a few are looked up rather than sought to the end.
  if (knowsSome && isWalkable && (!order.ofEachFilter || (await isLarge(library, query)))) {
    const [enough, further] = isInPart(library, query) ? [most / 50, 100 * most] : [most / 12, 25 * most]
    const walk = { looked: 2 * most, promising: enough, further, knowsSome: false }
    const walked = await nearby<Row>(library, query, wanted, walk, known, undefined)
    if (walked.found.length >= most || walked.isAll) return walked.found
  }
  if (near > 0 && inIndex) return among<Row>(library, query, wanted, most, ofTheRow(query, unseen))

  const isPromising = near >= promising && !knowsSome
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

/** How much more must match where the next ones lie all over the place. */
const dearness = (library: Library, query: Search) =>
  tagged(library, query) || listed(library, query) ? 3 : 1

/** What a page is looked for in, where that is less than all there is: a filter's own index has it in the order of time alone. */
function listFor(library: Library, query: Search, order: Order): Condition | undefined {
  if (!order.ofEachFilter) return listed(library, query, unseen)
  return (
    tagged(library, query, unseen) ?? (leadOf(query).length > 0 ? undefined : listed(library, query, unseen))
  )
}

/** What the index of an order knows of an asset beside its place, and what else is asked for. */
function knownIn(order: Order, query: Search): { known: Search; rest: Search } {
  const { from, to, minBytes, maxBytes, minWidth, minHeight, rights, ...others } = query
  const ofAll = { from, to, minBytes, maxBytes, minWidth, minHeight, rights }
  if (order.ofEachFilter) return { known: ofAll, rest: others }
  const { mimeType, uploader, orientation, ratio, approval, missingAltText, ...rest } = others
  return { known: { ...ofAll, mimeType, uploader, orientation, ratio, approval, missingAltText }, rest }
}

const isInIndex = (library: Library, query: Search, order: Order) =>
  !(order.ofEachFilter && leadOf(query).length > 0) &&
  !query.trashed &&
  placeOf(library, query).length === 2 &&
  conditionsOf(library, query).length === 2 + ofTheRow(query).length

interface Looked {
  looked: number
  promising: number
  /** So many, and it is looked a third as far. */
  hopeful?: number
  further: number
  /** Whether the index of the order knows a part of what is asked for. */
  knowsSome: boolean
}

/**
 * How many match among those that come first, and which; among more of them where those are promising. Whether there are no
 * more than were looked at; and whether the order is to be walked by what its index knows.
 */
async function nearby<Row>(
  library: Library,
  asked: Search,
  wanted: Wanted,
  { looked, promising, hopeful = promising, further, knowsSome }: Looked,
  known: Condition[],
  list: Condition | undefined,
): Promise<{ near: number; isWalkable: boolean; found: Row[]; isAll: boolean }> {
  const { columns, order, most } = wanted
  const { below, query } = withFolders(library, asked)
  const canWalk = knowsSome ? walkable(library, query, wanted) : sql`false`
  const matches = and(conditionsOf(library, query, { isRead: true, told: unseen }))
  const few = first(library, query, wanted, sql.lit(looked), known, list)
  const more = sql`(select case when near >= ${sql.lit(Math.ceil(promising))} then ${sql.lit(further)}
    when near >= ${sql.lit(hopeful)} then ${sql.lit(Math.ceil(further / 3))} else ${sql.lit(looked)} end from sampled)`
  const rows = await askPrepared(
    library.db,
    sql<Row & { id: string | null; looked: number; near: number; walkable: boolean }>`${written}
    with ${below}sampled as materialized (
      select count(*) as looked, count(*) filter (where ${matches}) as near, ${canWalk} as walkable from (${few}) as assets)
    select looked, near, walkable, page.* from sampled left join lateral (
      select ${columns} from (${first(library, query, wanted, more, known, list)}) as assets where ${matches}
      order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}) as page on true order by ${order.by}`,
  )
  const { looked: were, near, walkable: isWalkable } = rows[0]!
  return { near, isWalkable, found: rows.filter(({ id }) => id !== null), isAll: were < looked }
}

/** To go through more of an index takes longer than to look up what matches. */
const mostWalked = 60_000

/** Whether a page is likely to be found so far: by how many of those that are looked at have what the index of the order knows, and how many the rest. */
function walkable(library: Library, query: Search, { order, most }: Wanted): Condition {
  const { known, rest } = knownIn(order, query)
  const others = conditionsOf(library, rest, { isRead: true, told: unseen })
  return sql`count(*) filter (where ${and(ofTheRow(known, unseen))}) * count(*) filter (where ${and(others)})
    * ${sql.lit(mostWalked)} > ${sql.lit(most)} * count(*) * count(*)`
}

/** The first of a list in which all stands that is asked for: nothing is read that is left out. Undefined where that is not so, or it is too long for few. */
async function throughList<Row>(
  library: Library,
  asked: Search,
  { columns, order, bounds, most }: Wanted,
  { walked = mostWalked }: Effort,
): Promise<Row[] | undefined> {
  const { below, query } = withFolders(library, asked)
  const list = toldInList(library, query, unseen)
  if (!list) return undefined
  const so = sql`order by ${order.by}`
  const rows = await askPrepared(
    library.db,
    sql<Row & { id: string | null; is_more: boolean }>`${written}with ${below}page as materialized (
      select client_id, id, sort_key from (
        select *, ${order.key} as sort_key from ${list.rows} where ${and([sql`true`, ...bounds])} ${so} limit ${sql.lit(walked)}) as assets
      where ${list.matches} order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}),
    walked as (select (select count(*) from page) < ${sql.lit(most)}
      and exists (select from ${list.rows} offset ${sql.lit(walked)}) as is_more)
    select is_more, its.* from walked left join (select its.* from page cross join lateral (
      select ${columns} from assets where client_id = page.client_id and id = page.id offset 0) as its) as its on true ${so}`,
  )
  return rows[0]!.is_more ? undefined : rows.filter(({ id }) => id !== null)
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
  const isPlanned = isPlannedOnce(library, query)
  const told = isPlanned ? unseen : seen
  // Not more than these are ever read; yet no plan is made for so few.
  const question = sql<
    Row & { matches: number }
  >`${written}with matching as materialized (select id, ${order.key} as sort_key from ${matched(library, query, bounds, reach, told)}),
    counted as (select count(*) as matches from (select from matching limit ${sql.lit(sorted + 1)}) as few)
    select matches, page.* from counted left join lateral (
      select ${columns} from assets where client_id = ${textOf(library.clientId, told)} and id = any(array(
        select id from matching where matches <= ${sql.lit(sorted)}
        order by sort_key ${order.direction}, id ${order.direction} limit ${sql.lit(most)}))
    ) as page on true order by ${order.by}`
  const rows = await (isPlanned
    ? askPrepared(library.db, question)
    : question.execute(library.db).then(({ rows }) => rows))
  const { matches } = rows[0]!
  return matches > sorted ? undefined : rows.slice(0, matches)
}
