import { sql } from 'kysely'
import { type AssetCursors, type AssetIds, mostIds } from '../../contract/assets.ts'
import type { AssetCursorQuery, AssetIdQuery } from '../../contract/search.ts'
import { pathInto } from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { orderFor } from './order-for.ts'
import type { Order, SortKeys } from './orders.ts'
import { isByMeaning } from './relevance.ts'
import { type Condition, conditionsOf, type Search } from './search.ts'
import { asMeant } from './spelling.ts'

type Asked<Query> = Query & Search

/** Where each page of a list begins, so that a reader can go to any of them at once, or to that of an asset. */
export async function listCursors(library: Library, query: AssetCursorQuery): Promise<AssetCursors> {
  await pathInto(library.db, library, query)
  const { rows, order } = await asMeant(library, query, (meant) => beginnings(library, meant), hasNoWords)
  const sought = rows.find(({ id }) => id === query.assetId)
  return {
    cursors: rows.filter(({ begins }) => begins).map(order.cursorOf),
    ...(sought && { position: sought.row_number - 1 }),
  }
}

async function beginnings(library: Library, query: Asked<AssetCursorQuery>): Promise<Found<Beginning>> {
  const { limit = 50, cursor, assetId = '' } = query
  const order = await orderFor(library, query)
  const { rows } = await sql<Beginning>`
    select * from (
      select ${order.inCursor}, row_number() over ordered as row_number,
        row_number() over ordered % ${sql.lit(limit)} = 0 and lead(id) over ordered is not null as begins
      from ${order.from} where ${sql.join(behind(cursor, order, conditionsOf(library, query)), sql` and `)}
      window ordered as (order by ${order.by})) as placed
    where begins or id = ${assetId} or row_number = 1 order by row_number`.execute(library.db)
  return { rows, order }
}

type Beginning = SortKeys & { row_number: number; begins: boolean }

/** The ids alone, thousands a page: what somebody means by “all of these”. */
export async function listIds(library: Library, query: AssetIdQuery): Promise<AssetIds> {
  const { limit = mostIds } = query
  await pathInto(library.db, library, query)
  const { rows, order } = await asMeant(library, query, (meant) => some(library, meant, limit), hasNoWords)
  const page = rows.slice(0, limit)
  return {
    assetIds: page.map(({ id }) => id),
    nextCursor: rows.length > limit ? order.cursorOf(page.at(-1)!) : null,
  }
}

async function some(library: Library, query: Asked<AssetIdQuery>, limit: number): Promise<Found> {
  const { cursor } = query
  const order = await orderFor(library, query)
  const { rows } = await sql<SortKeys>`
    select ${order.inCursor} from ${order.from}
    where ${sql.join(behind(cursor, order, conditionsOf(library, query)), sql` and `)}
    order by ${order.by} limit ${sql.lit(limit + 1)}`.execute(library.db)
  return { rows, order }
}

interface Found<Row = SortKeys> {
  rows: Row[]
  order: Order
}

const hasNoWords = ({ rows }: Found) => rows.every(isByMeaning)

const behind = (cursor: string | undefined, order: Order, conditions: Condition[]) =>
  cursor ? [...conditions, order.behind(cursor)] : conditions
