import { sql } from 'kysely'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { isUnknown } from './known-words.ts'
import { lookedUp } from './looked-up.ts'
import { boundsOf, type Order } from './orders.ts'
import { and, type Condition, conditionsOf, isNarrowed, type Search } from './search.ts'
import { cheaply, type Effort, written } from './ways.ts'

type Asked = Search & { cursor?: string; until?: string }

/** About as much as a page of fifty costs by itself, and in proportion for a longer one. Where many are known to match, none is looked up. */
export function effortFor(most: number, areMany = false): Effort {
  const share = Math.ceil(most / 51)
  const promising = areMany ? 0 : 3 * share
  return { looked: 300 * share, promising, lookedFurther: 40_000 * share, sorted: 5_000 * share }
}

/** So many rows of what a search means, behind its cursor. The columns must hold those that orders look at. */
export async function firstRows<Row>(
  library: Library,
  query: Asked,
  order: Order,
  columns: Condition,
  most: number,
  effort = effortFor(most),
): Promise<Row[]> {
  const { db } = library
  const bounds = boundsOf(order, query)
  // Plain SQL: it is what people wait for most, and putting it together piece by piece takes longer than running it.
  const asked = (
    from: Condition,
    isRead = false,
  ) => sql<Row>`${written}select ${columns}${order.alongside} from ${from} where ${and([...conditionsOf(library, query, { isRead }), ...bounds])}
    order by ${order.by} limit ${sql.lit(most)}`
  if (!query.q && !isNarrowed(query) && !query.below) return askPrepared(db, asked(order.from))
  if (isUnknown(query)) return []
  if (order.isIndexed && !query.trashed && !query.near) {
    const rows = await cheaply<Row>(library, query, { columns, order, bounds, most }, effort)
    if (rows) return rows
  }
  const few = order.fromFew && !query.near ? order.fromFew(lookedUp(library, query, effort.reach)) : undefined
  return (await asked(few ?? order.from, few !== undefined).execute(db)).rows
}
