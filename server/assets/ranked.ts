import { sql } from 'kysely'
import { searchedWords } from '../../contract/folding.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { havingKnown, isUnknown } from './known-words.ts'
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
  if (isUnknown(query)) return { order: 'relevance', rows: [] }
  const place = and(placeOf(library, query, unseen))
  // To plan for the words of each search takes longer than to find them.
  const hasWords = and(havingWords(query, unseen))
  const known = and(havingKnown(library, query.known!, unseen))
  const tooMany = sql.lit(mostRanked + 1)
  const rows = await askPrepared(
    library.db,
    sql<
      Row & { are_few: boolean; are_many: boolean; id: string | null }
    >`${written}with sampled as materialized (
      select count(*) < ${sql.lit(sample.looked)}
        or count(*) filter (where ${hasWords}) < ${sql.lit(sample.promising)} as are_few
      from (select search_text from assets where ${place}
        order by created_at desc, id desc limit ${sql.lit(sample.looked)}) as newest),
    few as materialized (select id, title, tags, original_filename, search_text
      from (select * from assets where ${place} and ${known} offset 0) as assets
      where ${hasWords} and (select are_few from sampled) limit ${tooMany}),
    newest as materialized (select id, created_at
      from (select * from assets where ${place}
        order by created_at desc, id desc limit ${sql.lit(mostLooked)}) as assets
      where ${hasWords} and not (select are_few from sampled)
      order by created_at desc, id desc limit ${tooMany}),
    found as materialized (select are_few, (select count(*) from few) + (select count(*) from newest) = ${tooMany} as are_many from sampled),
    page as (
      (select id, ${relevance(query)} as relevance from few where not (select are_many from found)
        order by relevance desc, id desc limit ${most})
      union all
      (select id, null from newest where (select are_many from found) order by created_at desc, id desc limit ${most}))
    select found.*, its.*, page.relevance from found left join page on true left join lateral (
      select ${columns} from assets where ${place} and assets.id = page.id) as its on true
    order by relevance desc, case when are_many then created_at end desc, id desc`,
  )
  const { are_few, are_many, id } = rows[0]!
  if (are_few) return are_many ? 'many' : { order: 'relevance', rows: id === null ? [] : rows }
  return are_many ? { order: 'newest', rows } : undefined
}

function isOfWordsAlone(query: AssetQuery & Search): boolean {
  const { sort = 'relevance', cursor, until, trashed, below, near, known } = query
  const words = searchedWords(query.q)
  if (sort !== 'relevance' || cursor || until || trashed || below || near || isNarrowed(query)) return false
  if (!known || known.lists.length + known.numbers.length === 0) return false
  return words.length > 0 && hasFewWords(query) && words.every((word) => word.length > 2 && !idInRef(word))
}
