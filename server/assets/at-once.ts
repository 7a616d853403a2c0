import { type RawBuilder, sql } from 'kysely'
import type { AssetQuery } from '../../contract/search.ts'
import { searchedWords } from '../../contract/searched-words.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { facetsAlone, indexed, withoutFacets } from './facets.ts'
import { inFirstBins } from './in-bins.ts'
import { knownWithin, partsOf } from './known-words.ts'
import { partOf, usual } from './looked-up.ts'
import { mostRanked } from './order-for.ts'
import { boundsOf, type OrderName, orderOf } from './orders.ts'
import { relevance } from './relevance.ts'
import {
  and,
  type Condition,
  conditionsOf,
  hasFewWords,
  havingWords,
  idInRef,
  ignoresFolders,
  isNarrowed,
  looksBelow,
  ofTheRow,
  placeOf,
  type Search,
  withFolders,
} from './search.ts'
import { unseen } from './sought.ts'
import { written } from './ways.ts'

/** Where so many of those that come first match, many do, and to look all of them up takes long. */
const sample = { looked: 100, promising: 3 }
/** So many, and there are too many to be ranked: that need not be looked up. */
const common = 10

export interface Limits {
  /** So many are ranked. */
  ranked: number
  /** So many that match are put in order. */
  sorted: number
  /** Among so many that come first a page is sought where many match. */
  looked: number
  /** So many are looked up to tell about how many there are. */
  peeked: number
  /** If an index knows more, and more pages match, one is sought bin by bin of the order. */
  known: number
  pages: number
}
const usualLimits: Limits = {
  ranked: mostRanked,
  sorted: 10_000,
  looked: 20_000,
  peeked: 64,
  known: 1_000,
  pages: 8,
}

/** Of more there would be too many statements to keep a plan for each. */
const mostParts = 8

/** `many`: too many to be put in order. Undefined: it is not plain how many there are, or more is asked for. */
export type AtOnce<Row> = { order: OrderName; rows: Row[] } | 'many' | undefined

type Asked = AssetQuery & Search

/**
 * A page of what one index knows of words, in one question, which may ask for something else beside: ranked, where too many
 * have them to be ranked the newest, or in the order that is asked for. What it does not tell is found out step by step
 * (order-for.ts, pages.ts).
 */
export async function rowsAtOnce<Row, Beside>(
  library: Library,
  query: Asked,
  columns: Condition,
  most: number,
  beside: RawBuilder<Beside> | undefined,
  reach = usual,
  limits = usualLimits,
): Promise<{ found: AtOnce<Row>; beside: Beside[] }> {
  if (!isOfOneIndex(query)) return { found: undefined, beside: [] }
  const { sort = 'relevance' } = query
  const ranks = sort === 'relevance'
  const name = ranks ? 'newest' : sort
  const order = orderOf(name, library, query)
  const place = and([...placeOf(library, query, unseen), ...boundsOf(order, query)])
  const { below, query: its } = withFolders(library, query)
  const part = partOf(library, its, unseen)
  // To plan for what each search asks for takes longer than to find it.
  const read = { isRead: true, told: unseen }
  const matches = and(
    part
      ? conditionsOf(library, its, read)
      : [...ofTheRow(query, unseen), ...havingWords(query, unseen, true)],
  )
  const isSought = and([place, ...(part?.hashed ? [part.hashed] : []), matches])
  const { known, having } = knownWithin(library, query.q)
  const facets = indexed(library, { ...query, known: undefined }, unseen)
  const inIndex = and([...having, ...facets])
  // Whether they match is said of them where they are read: handed on, all their columns would cost more than that.
  const first = (looked: number, beside = sql``) =>
    sql`(select ctid as at, id, ${order.key} as sort_key, ${matches} as does_match${beside} from assets where ${place} order by ${order.by} limit ${sql.lit(looked)}) as assets`
  const isKnown = and(conditionsOf(library, facetsAlone(query), read))
  // A `ctid` is a row's place in its part of the table: with it goes the client, whose rows are all in one.
  const columnsOfFew = sql`ctid as at, id, ${order.key} as sort_key`
  const sorted = sql`sort_key ${order.direction}, id ${order.direction}`
  const isCommon = and([
    sql`near >= ${sql.lit(sample.promising)}`,
    ...(ranks && !part ? [sql`(near >= ${sql.lit(common)} or not are_known)`] : []),
  ])
  // As far as they reach into all that the client has.
  const blockOf = (at: Condition) => sql`(${at}::text::point)[0]`
  const newest = sql`(select ctid as at from assets where ${and(placeOf(library, { everywhere: true }, unseen))} order by created_at desc, id desc limit 1) as newest`
  const [lowest, highest] = [blockOf(sql`min(at)`), blockOf(sql`max(at)`)]
  const share = sql`(${highest} - ${lowest} + 1) / (greatest(${highest}, (select ${blockOf(sql`at`)} from ${newest})) - ${lowest} + 1)`
  // One word is told apart so soon that it needs no reason to be sought so. How many are in a part, and may be ranked, is not known.
  const isSoon = !ranks && !part && having.length === 1 && facets.length === 0
  const ifFarMore = ranks && part ? sql`false` : sql`(select are_far_more and not is_many from turn)`
  const wanted = isSoon
    ? { isWanted: sql`(select way = 'index' from way)`, isWidestWanted: ifFarMore }
    : { isWanted: ifFarMore, isWidestWanted: sql`true` }
  const peeked = ranks ? limits.ranked + 1 : limits.peeked
  const enough = ranks
    ? sql`(select case way when 'many' then ${sql.lit(limits.ranked + 1)} else ${sql.lit(most)} end from way)`
    : sql.lit(most)
  const rows = await askPrepared(
    library.db,
    sql<
      Row & { answer: 'ranked' | 'sorted' | 'many' | null; id: string | null; beside?: Beside[] | null }
    >`${written}with ${below}known as materialized (${known}),
    sampled as materialized (
      select case count(*) when ${sql.lit(sample.looked)} then count(*) filter (where does_match) else 0 end as near,
        ${part ? sql`count(*) filter (where is_known) >= ${sql.lit(sample.promising)}` : sql`false`} as are_common
      from ${first(sample.looked, part && sql`, ${isKnown} as is_known`)}),
    part as materialized (select ${
      part
        ? sql`count(*) <= ${sql.lit(reach.part)} as is_small from (select from ${part.rows} limit ${sql.lit(reach.part + 1)}) as its`
        : sql`false as is_small`
    }),
    way as materialized (select case when is_small then 'part'${part && !looksBelow(query) ? sql`` : sql` when ${isCommon} then 'many'`}
      when are_known and not are_common then 'index' end as way from known, sampled, part),
    ${
      part
        ? sql`read as materialized (
        select ctid as at, ${matches} as does_match from assets where ${place} and ${part.has} and (select way = 'part' from way)
        union all
        (select ctid, ${isSought} from assets where trashed_at is null and ${inIndex} and (select way = 'index' from way)
          limit ${sql.lit(reach.index + 1)})),
      few as materialized (select assets.* from read cross join lateral (
          select ${columnsOfFew} from assets where ctid = read.at and ${place} offset 0) as assets
        where does_match limit ${sql.lit(limits.sorted + 1)}),`
        : sql`few as materialized (select * from (
          select ${columnsOfFew}, ${isSought} as does_match
          from assets where trashed_at is null and ${inIndex} offset 0) as assets
        where does_match and (select way = 'index' from way) limit ${sql.lit(limits.sorted + 1)}),`
    }
    -- They come as they lie, so that a few tell about how many there are.
    peeked as materialized (select count(*) as looked, count(*) filter (where does_match) as matched, ${share} as share from (
      select at, ${part ? sql`does_match` : sql`true as does_match`} from ${part ? sql`read` : sql`few`} where (select way = 'index' from way) limit ${sql.lit(peeked)}) as its),
    turn as materialized (select way = 'many'${part ? sql`` : sql` or are_more and near >= ${sql.lit(sample.promising)}`} as is_many,
      are_more and looked > ${sql.lit(limits.known)} * share and matched > ${sql.lit(limits.pages * most)} * share as are_far_more
      from way, sampled, (select *, looked = ${sql.lit(peeked)} as are_more from peeked) as peeked),
    many as materialized (select id, at, sort_key from ${first(limits.looked)}
      where does_match and (select is_many from turn) order by ${sorted} limit ${enough}),
    ${inFirstBins(library, order, { place, inIndex, matches: isSought, most }, wanted)},
    found as materialized (select case
        when exists (select from in_bins) then 'sorted'
        when (select is_many from turn) then case when (select count(*) from many) = ${enough} then 'sorted' when way = 'index' then 'many' end
        ${part ? sql`when (select count(*) from read) > ${sql.lit(reach.index)} then null` : sql``}
        when way is not null then (select case ${ranks ? sql`when count(*) <= ${sql.lit(limits.ranked)} then 'ranked'` : sql``}
          when count(*) <= ${sql.lit(limits.sorted)} then 'sorted' else 'many' end from few)
      end as answer from way),
    page as (
      ${
        ranks
          ? sql`(select id, at, null as sort_key, ${relevance(query)} as relevance from few cross join lateral (
            select title, tags, original_filename, search_text from assets where ctid = few.at and ${place} offset 0) as its
        where (select answer = 'ranked' from found) order by relevance desc, id desc limit ${sql.lit(most)}) union all`
          : sql``
      }
      (select id, at, sort_key, null::integer from (
          select id, at, sort_key from in_bins
          union all select id, at, sort_key from few where not exists (select from in_bins) and (select not is_many from turn)
          union all select id, at, sort_key from many where not exists (select from in_bins)) as its
        where (select answer = 'sorted' from found) order by ${sorted} limit ${sql.lit(most)}))
    select answer, its.*${ranks ? sql`, relevance` : sql``}${beside ? sql`, ${inFirst(beside)} as beside` : sql``}
    from found left join (select *, row_number() over () as nth from page) as page on true left join lateral (
      select ${columns} from assets where assets.ctid = page.at and ${place} and assets.id = page.id) as its on true
    order by ${ranks ? sql`relevance desc, ` : sql``}page.sort_key ${order.direction}, page.id ${order.direction}`,
  )
  const { answer, id } = rows[0]!
  const found = answer === 'ranked' ? 'relevance' : name
  return {
    found: answer === 'many' ? answer : answer ? { order: found, rows: id === null ? [] : rows } : undefined,
    beside: rows.find((row) => row.beside)?.beside ?? [],
  }
}

/** Of one row only: it is the same for all. */
const inFirst = (beside: Condition): Condition =>
  sql`case when nth is null or nth = 1 then (select json_agg(its) from (${beside}) as its) end`

/** Whether it asks for words, everywhere, below a folder or in a list, and for nothing else that the index of them does not know. */
export function isOfOneIndex(query: Asked): boolean {
  const { sort = 'relevance', cursor, until, trashed, near, placed } = query
  const { collectionId, used, duplicates, ...rest } = withoutFacets(query)
  if (!ignoresFolders(query) && !looksBelow(query)) return false
  if (trashed || near || placed || (sort === 'relevance' && (cursor || until))) return false
  if (used === false || duplicates === false || !hasFewWords(query) || isNarrowed(rest)) return false
  if (searchedWords(query.q).some((word) => word.length < 3 || idInRef(word))) return false
  const { parts, numbers } = partsOf(query.q)
  const known = parts.length + numbers.length
  return known > 0 && known <= mostParts
}
