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

export const orderNameFor = async (library: Library, query: Asked): Promise<OrderName> =>
  (await orderingFor(library, query)).name

/** With all that it finds, where that had to be looked up. */
export async function orderingFor(
  library: Library,
  query: Asked,
): Promise<{ name: OrderName; found?: string[] }> {
  const hasWords = searchedWords(query.q).length > 0
  const unasked = query.collectionId !== undefined ? 'place' : query.trashed ? 'trashed' : 'newest'
  const { sort = hasWords ? 'relevance' : unasked, cursor } = query
  if (sort !== 'relevance') return { name: sort }
  if (!hasWords) return { name: unasked }
  if (query.near) return { name: 'relevance' }
  const isBehind = cursor !== undefined && !folderPlace(cursor)
  if (isBehind && nameInCursor(cursor) === 'newest') return { name: 'newest' }
  const few = await cheaply<{ id: string }>(
    library,
    query,
    { columns: sortKeys, order: orderOf('newest', library, query), bounds: [], most: mostRanked + 1 },
    toRank,
  )
  return few && few.length <= mostRanked
    ? { name: 'relevance', found: few.map(({ id }) => id) }
    : { name: isBehind ? 'relevance' : 'newest' }
}
