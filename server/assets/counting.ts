import { sql } from 'kysely'
import type { AssetQuery } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { withKnown } from './known-words.ts'
import { listAlone, toldInList } from './lists.ts'
import { matched } from './looked-up.ts'
import { orderOf } from './orders.ts'
import { and, type Condition, conditionsOf, isNarrowed, leadOf, placeOf, type Search } from './search.ts'

type Asked = AssetQuery & Search

interface Page {
  assets: unknown[]
  nextCursor: string | null
}

/** How many there are on all pages, of which this is one; null where nobody asked. */
export async function totalOf(library: Library, query: Asked, page: Page): Promise<number | null> {
  const most = query.count ? Number.POSITIVE_INFINITY : query.countUpTo
  if (most === undefined) return null
  const isAll = !query.cursor && !query.until && page.nextCursor === null
  return isAll ? Math.min(page.assets.length, most) : countUpTo(library, query, most)
}

/** Where fewer of the newest match, few may do so at all: they are looked up. */
const sample = { looked: 1000, common: 20 }
/** Of more, the index no longer knows each by itself, and to read all there is takes less time. */
const mostLookedUp = 20_000

export async function countUpTo(library: Library, asked: Asked, most: number): Promise<number> {
  const query = await withKnown(library, asked)
  const list = listAlone(library, query)
  if (list) return count(library, list, most)
  const told = toldInList(library, query)
  if (told) return count(library, sql`${told.rows} where ${told.matches}`, most)
  if (!isInAnIndex(library, query) && !(await isCommon(library, query))) {
    const few = await count(library, matched(library, query), Math.min(most, mostLookedUp))
    if (few < mostLookedUp) return few
  }
  const conditions = conditionsOf(library, query, { singly: Number.isFinite(most) })
  return count(library, sql`assets where ${and(conditions)}`, most)
}

/** Whether there is an index of just those, which is counted without a look at them. */
const isInAnIndex = (library: Library, query: Asked) =>
  conditionsOf(library, query).length === placeOf(library, query).length + leadOf(query).length

async function isCommon(library: Library, query: Asked): Promise<boolean> {
  if (!query.q && !isNarrowed(query) && !query.below) return true
  const newest = sql`(select * from assets where ${and(placeOf(library, query))}
    order by ${orderOf('newest', library, query).by} limit ${sql.lit(sample.looked)}) as assets`
  const found = sql`${newest} where ${and(conditionsOf(library, query, { isRead: true }))}`
  return (await count(library, found, sample.common)) === sample.common
}

async function count({ db }: Library, counted: Condition, most: number): Promise<number> {
  const some = Number.isFinite(most)
    ? sql`(select from ${counted} limit ${sql.lit(most)}) as counted`
    : counted
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${some}`.execute(db)
  return rows[0]!.total
}
