import { sql } from 'kysely'
import { type AssetCursors, type AssetIds, mostIds } from '../../contract/assets.ts'
import type { AssetCursorQuery, AssetIdQuery } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { cursorOf, orders, type SortKeys } from './listing.ts'
import { conditionsOf } from './search.ts'

const columns = sql`id, created_at, title, size_bytes`

/** Where each page of a list begins, so that a reader can go to any of them at once. */
export async function listCursors(library: Library, query: AssetCursorQuery): Promise<AssetCursors> {
  const { limit = 50, sort = 'newest' } = query
  const { rows } = await sql<SortKeys>`
    select ${columns} from (
      select ${columns}, row_number() over (order by ${orders[sort].by}) as place, count(*) over () as total
      from assets where ${sql.join(behindCursor(library, query), sql` and `)}) as placed
    where place % ${sql.lit(limit)} = 0 and place < total order by place`.execute(library.db)
  return { cursors: rows.map((row) => cursorOf(sort, row)) }
}

/** The ids alone, thousands a page: what somebody means by “all of these”. */
export async function listIds(library: Library, query: AssetIdQuery): Promise<AssetIds> {
  const { limit = mostIds, sort = 'newest' } = query
  const { rows } = await sql<SortKeys>`
    select ${columns} from assets where ${sql.join(behindCursor(library, query), sql` and `)}
    order by ${orders[sort].by} limit ${sql.lit(limit + 1)}`.execute(library.db)
  const page = rows.slice(0, limit)
  return {
    assetIds: page.map(({ id }) => id),
    nextCursor: rows.length > limit ? cursorOf(sort, page.at(-1)!) : null,
  }
}

const behindCursor = (library: Library, query: AssetCursorQuery | AssetIdQuery) => [
  ...conditionsOf(library, query),
  ...(query.cursor ? [orders[query.sort ?? 'newest'].behind(query.cursor)] : []),
]
