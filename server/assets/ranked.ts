import { sql } from 'kysely'
import { searchedWords } from '../../contract/folding.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { knownWithin, partsOf } from './known-words.ts'
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
import { unseen } from './sought.ts'
import { and, written } from './ways.ts'

/** Where more of the newest have the words, many do, and to look all of them up takes long. */
const sample = { looked: 100, promising: 3 }
/** Among so many of the newest more than can be ranked are sought then. */
const mostLooked = 20_000
/** Of so many that have them, and are too many to rank, the newest are found at once. */
const mostSorted = 5_000

/** Of more there would be too many statements to keep a plan for each. */
const mostParts = 8

/** `many`: too many to rank. */
export type Ranked<Row> = { order: 'relevance' | 'newest'; rows: Row[] } | 'many'

/**
 * The first page of a search for words alone, in one question: ranked, or the newest where too many have them. Undefined
 * where something else is asked for, or neither is plain: then it is found out step by step (order-for.ts).
 */
export async function rankedRows<Row>(
  library: Library,
  query: AssetQuery & Search,
  columns: Condition,
  most: number,
): Promise<Ranked<Row> | undefined> {
  if (!isOfWordsAlone(query)) return undefined
  const place = and(placeOf(library, query, unseen))
  // To plan for the words of each search takes longer than to find them.
  const hasWords = and(havingWords(query, unseen))
  const { known, having } = knownWithin(library, query.q)
  const tooMany = sql.lit(mostRanked + 1)
  const rows = await askPrepared(
    library.db,
    sql<
      Row & { answer: 'relevance' | 'newest' | 'many' | null; id: string | null }
    >`${written}with known as materialized (${known}),
    sampled as materialized (
      select count(*) filter (where ${hasWords}) >= ${sql.lit(sample.promising)} and count(*) = ${sql.lit(sample.looked)} as are_likely
      from (select search_text from assets where ${place}
        order by created_at desc, id desc limit ${sql.lit(sample.looked)}) as newest),
    few as materialized (select id, created_at, title, tags, original_filename, search_text
      from (select * from assets where trashed_at is null and ${and(having)} offset 0) as assets
      where ${place} and ${hasWords} and (select are_known and not are_likely from known, sampled)
      limit ${sql.lit(mostSorted + 1)}),
    newest as materialized (select id, created_at
      from (select * from assets where ${place}
        order by created_at desc, id desc limit ${sql.lit(mostLooked)}) as assets
      where ${hasWords} and (select are_likely from sampled)
      order by created_at desc, id desc limit ${tooMany}),
    found as materialized (select case
        when are_likely then case when (select count(*) from newest) = ${tooMany} then 'newest' end
        when are_known then (select case when count(*) < ${tooMany} then 'relevance'
          when count(*) <= ${sql.lit(mostSorted)} then 'newest' else 'many' end from few)
      end as answer from known, sampled),
    page as (
      (select id, ${relevance(query)} as relevance from few where (select answer = 'relevance' from found)
        order by relevance desc, id desc limit ${most})
      union all
      (select id, null from (select id, created_at from few union all select id, created_at from newest) as sorted
        where (select answer = 'newest' from found) order by created_at desc, id desc limit ${most}))
    select found.*, its.*, page.relevance from found left join page on true left join lateral (
      select ${columns} from assets where ${place} and assets.id = page.id) as its on true
    order by relevance desc, case when answer = 'newest' then created_at end desc, id desc`,
  )
  const { answer, id } = rows[0]!
  if (answer === 'many') return answer
  return answer ? { order: answer, rows: id === null ? [] : rows } : undefined
}

/** Whether it is the first page of a search for words alone, in the order of how well they are answered. */
export function isOfWordsAlone(query: AssetQuery & Search): boolean {
  const { sort = 'relevance', cursor, until, trashed, below, near } = query
  const words = searchedWords(query.q)
  if (sort !== 'relevance' || cursor || until || trashed || below || near || isNarrowed(query)) return false
  if (!hasFewWords(query) || words.some((word) => word.length < 3 || idInRef(word))) return false
  const { parts, numbers } = partsOf(query.q)
  const known = parts.length + numbers.length
  return known > 0 && known <= mostParts
}
