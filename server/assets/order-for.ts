import { searchedWords } from '../../contract/searched-words.ts'
import { folderPlace } from '../folders/pages.ts'
import type { Library } from '../library.ts'
import { nameInCursor, type Order, type OrderName, orderOf } from './orders.ts'
import type { Search } from './search.ts'
import { cheaply, type Effort, sortKeys } from './ways.ts'

/** Each asset that answers the words is looked at: of more than these the newest come first. */
export const mostRanked = 500

const toRank: Effort = { looked: 1000, promising: 25, lookedFurther: 20_000, sorted: mostRanked }

type Asked = Search & { cursor?: string }

/** The order a search is answered in. Its pages keep to that of the first one. */
export async function orderFor(library: Library, query: Asked): Promise<Order> {
  return orderOf(await orderNameFor(library, query), library, query)
}

export async function orderNameFor(library: Library, query: Asked): Promise<OrderName> {
  const hasWords = searchedWords(query.q).length > 0
  const unasked = query.collectionId === undefined ? 'newest' : 'place'
  const { sort = hasWords ? 'relevance' : unasked, cursor } = query
  if (sort !== 'relevance') return sort
  if (!hasWords) return unasked
  if (query.near) return 'relevance'
  if (cursor && !folderPlace(cursor)) return nameInCursor(cursor) === 'newest' ? 'newest' : 'relevance'
  const few = await cheaply(
    library,
    query,
    { columns: sortKeys, order: orderOf('newest', library, query), bounds: [], most: mostRanked + 1 },
    toRank,
  )
  return few && few.length <= mostRanked ? 'relevance' : 'newest'
}
