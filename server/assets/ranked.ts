import { sql } from 'kysely'
import { searchedWords } from '../../contract/folding.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { isUnknown } from './known-words.ts'
import { mostRanked } from './order-for.ts'
import { relevance } from './relevance.ts'
import {
  type Condition,
  hasFewWords,
  havingWords,
  idInRef,
  isNarrowed,
  placeOf,
  type Search,
} from './search.ts'
import { and, lookedUp, written } from './ways.ts'

/** Where more of the newest have the words, many do, and to look all of them up takes long. */
const sample = { looked: 200, promising: 5 }

/**
 * The first page of a search for words alone, ranked, in one question; or that there are too many to rank. Undefined where
 * something else is asked for, or neither is plain: then it is found out step by step (order-for.ts).
 */
export async function rankedRows<Row>(
  library: Library,
  query: AssetQuery & Search,
  columns: Condition,
  most: number,
): Promise<Row[] | 'many' | undefined> {
  if (!isOfWordsAlone(query)) return undefined
  if (isUnknown(query)) return []
  const place = and(placeOf(library, query))
  const rows = await askPrepared(
    library.db,
    sql<
      Row & { are_few: boolean; is_ranked: boolean; id: string | null }
    >`${written}with sampled as materialized (
      select count(*) < ${sql.lit(sample.looked)}
        or count(*) filter (where ${and(havingWords(query))}) < ${sql.lit(sample.promising)} as are_few
      from (select search_text from assets where ${place}
        order by created_at desc, id desc limit ${sql.lit(sample.looked)}) as newest),
    few as materialized (select ${columns}, search_text from ${lookedUp(library, query)} as assets
      where ${and(havingWords(query))} and (select are_few from sampled) limit ${sql.lit(mostRanked + 1)})
    select are_few, is_ranked, page.* from (
      select are_few, are_few and (select count(*) from few) <= ${sql.lit(mostRanked)} as is_ranked from sampled) as found
    left join lateral (
      select ${columns}, ${relevance(query)} as relevance from few where is_ranked
      order by relevance desc, id desc limit ${most}) as page on true
    order by relevance desc, id desc`,
  )
  const { are_few, is_ranked, id } = rows[0]!
  if (!is_ranked) return are_few ? 'many' : undefined
  return id === null ? [] : rows
}

function isOfWordsAlone(query: AssetQuery & Search): boolean {
  const { sort = 'relevance', cursor, trashed, below, near, known } = query
  const words = searchedWords(query.q)
  if (sort !== 'relevance' || cursor || trashed || below || near || isNarrowed(query)) return false
  if (!known || known.lists.length + known.numbers.length === 0) return false
  return words.length > 0 && hasFewWords(query) && words.every((word) => word.length > 2 && !idInRef(word))
}
