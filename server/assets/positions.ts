import { sql } from 'kysely'
import { type AssetCursors, type AssetIds, mostIds } from '../../contract/assets.ts'
import type { AssetCursorQuery, AssetIdQuery } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { cursorOf, orders, type SortKeys } from './listing.ts'
import { assetsIn, orderOf } from './placed.ts'
import { conditionsOf } from './search.ts'

const columns = sql`id, created_at, title, size_bytes`

/** Where each page of a list begins, so that a reader can go to any of them at once. */
export async function listCursors(library: Library, query: AssetCursorQuery): Promise<AssetCursors> {
  const { limit = 50 } = query
  const sort = orderOf(query)
  const { by, column } = orders[sort]
  const { rows } = await sql<SortKeys>`
    select ${columns}${column} from (
      select ${columns}${column}, row_number() over (order by ${by}) as row_number, count(*) over () as total
      from ${assetsIn(library, query)} where ${sql.join(behindCursor(library, query), sql` and `)}) as placed
    where row_number % ${sql.lit(limit)} = 0 and row_number < total order by row_number`.execute(library.db)
  return { cursors: rows.map((row) => cursorOf(sort, row)) }
}

/** The ids alone, thousands a page: what somebody means by “all of these”. */
export async function listIds(library: Library, query: AssetIdQuery): Promise<AssetIds> {
  const { limit = mostIds } = query
  const sort = orderOf(query)
  const { by, column } = orders[sort]
  const { rows } = await sql<SortKeys>`
    select ${columns}${column} from ${assetsIn(library, query)} where ${sql.join(behindCursor(library, query), sql` and `)}
    order by ${by} limit ${sql.lit(limit + 1)}`.execute(library.db)
  const page = rows.slice(0, limit)
  return {
    assetIds: page.map(({ id }) => id),
    nextCursor: rows.length > limit ? cursorOf(sort, page.at(-1)!) : null,
  }
}

const behindCursor = (library: Library, query: AssetCursorQuery | AssetIdQuery) => [
  ...conditionsOf(library, query),
  ...(query.cursor ? [orders[orderOf(query)].behind(query.cursor)] : []),
]
