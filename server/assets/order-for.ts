import { sql } from 'kysely'
import { searchedWords } from '../../contract/folding.ts'
import type { AssetSearch } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { nameInCursor, type Order, type OrderName, orderOf } from './orders.ts'
import { conditionsOf } from './search.ts'

/** Each asset that answers the words is looked at: of more than these the newest come first. */
const mostRanked = 500

type Asked = AssetSearch & { cursor?: string }

/** The order a search is answered in. Its pages keep to that of the first one. */
export async function orderFor(library: Library, query: Asked): Promise<Order> {
  return orderOf(await nameFor(library, query), library, query)
}

async function nameFor(library: Library, query: Asked): Promise<OrderName> {
  const hasWords = searchedWords(query.q).length > 0
  const unasked = query.collectionId === undefined ? 'newest' : 'place'
  const { sort = hasWords ? 'relevance' : unasked, cursor } = query
  if (sort !== 'relevance') return sort
  if (!hasWords) return unasked
  if (cursor) return nameInCursor(cursor) === 'newest' ? 'newest' : 'relevance'
  const { rows } = await sql`select from assets where ${sql.join(conditionsOf(library, query), sql` and `)}
    limit ${sql.lit(mostRanked + 1)}`.execute(library.db)
  return rows.length > mostRanked ? 'newest' : 'relevance'
}
