import { type RawBuilder, sql } from 'kysely'
import {
  type Duplicate,
  type DuplicateGroup,
  type DuplicatePage,
  type DuplicateQuery,
  type KeepReason,
  mostInGroup,
} from '../../contract/duplicates.ts'
import { assetColumns, toAsset } from '../assets/asset.ts'
import { textOf, unseen } from '../assets/sought.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { looksLike } from './alike.ts'

/** So many assets are looked at for one page, however few of them have a twin that is not kept. */
const lookedAtExact = 20_000
const lookedAtNear = 1_000

/** Assets that are there more than once: with the same bytes, or looking the same. */
export async function listDuplicates(library: Library, query: DuplicateQuery): Promise<DuplicatePage> {
  const { kind = 'exact', limit = 20 } = query
  const after = query.cursor === undefined ? '' : readCursor(query.cursor, ['text'])[0]
  const { groups, next } = await (kind === 'exact' ? exact : near)(library, after, limit)
  return {
    groups: (await described(library, groups)).map(({ duplicates, more }) => ({
      kind,
      duplicates,
      more,
      ...suggestionFor(duplicates),
    })),
    nextCursor: next === null ? null : writeCursor([next]),
  }
}

/** One more than a group lists tells that there are more. */
const mostRead = mostInGroup + 1

interface Found {
  /** The ids of each group, and of one more if there are more. */
  groups: string[][]
  next: string | null
}

/** The groups that somebody has kept an asset in, as `k`. */
const keptIn = (clientId: string) => (asset: RawBuilder<unknown>) =>
  sql`from kept_group_assets k where k.client_id = ${textOf(clientId, unseen)} and k.asset_id = ${asset}`

/** In the order of checksums, from the index alone. A checksum that the window cuts off comes with the next one. */
async function exact({ db, clientId }: Library, after: string, limit: number): Promise<Found> {
  const looked = sql`select sha256, id from assets where client_id = ${textOf(clientId, unseen)} and trashed_at is null and sha256 is not null
    and sha256 > ${textOf(after, unseen)} order by sha256, id limit ${sql.lit(lookedAtExact)}`
  const keptOf = keptIn(clientId)
  const ids = sql`array_agg(looked.id order by looked.id)`
  // Nothing is read behind the last that is wanted; where there are enough, nobody asks where the window ends.
  const rows = await askPrepared(
    db,
    sql<{
      sha256: string | null
      ids: string[]
      looked: number
      last: string
      whole: string | null
    }>`
    with twins as materialized (
      -- Those that are not all kept in one group. No exists: all of them would be read first.
      select sha256, ${ids} as ids from (${looked}) as looked
      group by sha256 having count(*) > 1 and (select true ${keptOf(sql`min(looked.id)`)} and (
        select count(*) from kept_group_assets its where its.client_id = k.client_id and its.group_id = k.group_id
          and its.asset_id = any(${ids})) = cardinality(${ids}) limit 1) is null
      order by sha256 limit ${sql.lit(limit + 1)}
    ), looked as materialized (${looked}), counted as (
      select count(*)::int as looked, max(sha256) as last from looked where (select count(*) from twins) <= ${sql.lit(limit)}
    ), ends as materialized (
      select *, case when looked > 0 then (select max(sha256) from looked where sha256 < last) end as whole from counted
    )
    -- Of many, those that nobody has kept come first: they are what is new.
    select ends.*, sha256, case when cardinality(ids) <= ${sql.lit(mostRead)} then ids else array(
      select id from unnest(ids) as id order by exists (select ${keptOf(sql`id`)}), id limit ${sql.lit(mostRead)}) end as ids
    from ends left join twins on true order by sha256`,
  )
  const { looked: count, last, whole } = rows[0]!
  const isCutOff = count === lookedAtExact && whole !== null
  const found = rows.filter(({ sha256 }) => sha256 !== null && !(isCutOff && sha256 === last))
  const page = found.slice(0, limit)
  const groups = page.map(({ ids }) => ids)
  if (found.length > limit) return { groups, next: page.at(-1)!.sha256 }
  return { groups, next: count === lookedAtExact ? (whole ?? last) : null }
}

/**
 * In the order of ids: each with all that look like it, under the first of them. Those that somebody has kept come behind
 * all others, so that what is new leads its group; two of one kept group make none.
 */
async function near({ db, clientId }: Library, after: string, limit: number): Promise<Found> {
  const alike = (where: RawBuilder<unknown>, most: number) =>
    looksLike(clientId, sql`looked.perceptual_hash`, where, most)
  const keptOf = keptIn(clientId)
  // No exists: that may be answered by reading all there are.
  const isKept = (asset: RawBuilder<unknown>) => sql`(select true ${keptOf(asset)} limit 1) is not null`
  const isApart = (asset: RawBuilder<unknown>) =>
    sql`(select true ${keptOf(asset)} and k.group_id = any(looked.kept) limit 1) is not null`
  const o = sql`o.id`
  const listed = sql`(select asset_id as id from alike_assets where client_id = ${textOf(clientId, unseen)} and asset_id > ${textOf(after, unseen)}
    order by asset_id limit ${sql.lit(lookedAtNear)}) as listed`
  // One by one and in their order, so that it ends with the page. Which are kept is asked only of those that look alike;
  // first whether there is one before it, which is in many the first that is met, unless it is kept and all others may be, too.
  const rows = await askPrepared(
    db,
    sql<{ id: string | null; others: string[]; looked: number; last: string | null }>`
    select ends.looked, ends.last, pairs.id, pairs.others
    from (select count(*)::int as looked, max(id) as last from ${listed}) as ends left join lateral (
      select looked.id, others from (
        select listed.id, its.perceptual_hash, array(select k.group_id ${keptOf(sql`listed.id`)}) as kept
        from ${listed} cross join lateral (
          select perceptual_hash from assets where client_id = ${textOf(clientId, unseen)} and id = listed.id and trashed_at is null
            and perceptual_hash is not null offset 0) as its
        order by id offset 0
      ) as looked cross join lateral (
        select array_agg(distinct id order by id) as others
          from (${alike(sql`o.id > looked.id or ${isKept(o)}`, mostInGroup)}) as other
          where looked.kept = '{}' and not exists (${alike(sql`o.id < looked.id and not ${isKept(o)}`, 1)})
        union all select others from (
          select array_agg(id order by id) as others from (
            select distinct id from (${alike(sql`o.id > looked.id`, mostInGroup)}) as other) as other
          where looked.kept <> '{}' and ${isKept(sql`id`)} having bool_or(not ${isApart(sql`id`)})) as kept
          where case when others is not null then not exists (
            ${alike(sql`not ${isKept(o)} or o.id < looked.id and not ${isApart(o)}`, 1)}) end
      ) as alike
      where others is not null order by looked.id limit ${sql.lit(limit + 1)}
    ) as pairs on true order by pairs.id`,
  )
  const { looked, last } = rows[0]!
  const found = rows.filter(({ id }) => id !== null)
  const page = found.slice(0, limit)
  const groups = page.map(({ id, others }) => [id!, ...others].slice(0, mostRead))
  if (found.length > limit) return { groups, next: page.at(-1)!.id }
  return { groups, next: looked === lookedAtNear ? last : null }
}

/** Each with where it is used; what went to the trash meanwhile is left out, and so is a group of one. */
async function described(
  { db, clientId }: Library,
  groups: string[][],
): Promise<Pick<DuplicateGroup, 'duplicates' | 'more'>[]> {
  const ids = groups.flat()
  if (ids.length === 0) return []
  const rows = await askPrepared(
    db,
    db
      .selectFrom('assets')
      .select(assetColumns)
      .select([
        sql<number>`(select count(distinct (u.kind, u.external_id))::int from use_refs r
        join uses u on u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
        where r.client_id = assets.client_id and r.asset_id = assets.id and u.status <> 'cancelled')`.as(
          'uses',
        ),
        sql<number>`(select count(*)::int from deliveries d where d.client_id = assets.client_id
        and d.asset_id = assets.id and d.status = 'done')`.as('deliveries'),
        sql<number>`(select count(*)::int from collection_assets i where i.client_id = assets.client_id
        and i.asset_id = assets.id)`.as('collections'),
        sql<number>`(select count(*)::int from comments c where c.client_id = assets.client_id
        and c.asset_id = assets.id)`.as('comments'),
      ])
      .where('client_id', '=', clientId)
      .where(sql<boolean>`id = any(${ids}::text[])`)
      .where('trashed_at', 'is', null),
  )
  const byId = new Map(
    rows.map(({ uses, deliveries, collections, comments, ...row }) => [
      row.id,
      { asset: toAsset(row), uses, deliveries, collections, comments },
    ]),
  )
  return groups
    .map((group) => group.flatMap((id) => byId.get(id) ?? []))
    .filter((group) => group.length > 1)
    .map((group) => ({
      duplicates: group.slice(0, mostInGroup).sort(byAge),
      more: group.length > mostInGroup,
    }))
}

const byAge = (a: Duplicate, b: Duplicate) =>
  a.asset.createdAt < b.asset.createdAt ||
  (a.asset.createdAt === b.asset.createdAt && a.asset.assetId < b.asset.assetId)
    ? -1
    : 1

/** What counts for keeping one, the first that tells them apart first. */
const merits: [KeepReason, (one: Duplicate) => number][] = [
  ['approved', ({ asset }) => Number(asset.approval === 'approved')],
  ['most-used', ({ uses, deliveries }) => uses + deliveries],
  ['largest', ({ asset }) => (asset.width ?? 0) * (asset.height ?? 0) || asset.sizeBytes],
  [
    'best-described',
    ({ asset: { altText, description, tags } }) => [altText, description, ...tags].filter(Boolean).length,
  ],
  ['oldest', ({ asset }) => -Date.parse(asset.createdAt)],
]

export function suggestionFor(duplicates: Duplicate[]): Pick<DuplicateGroup, 'suggested' | 'why'> {
  const [best, ...rest] = duplicates.toSorted(
    (a, b) => merits.map(([, of]) => of(b) - of(a)).find((difference) => difference !== 0) ?? 0,
  ) as [Duplicate, ...Duplicate[]]
  const why = merits.filter(([, of]) => rest.every((other) => of(best) > of(other))).map(([reason]) => reason)
  return { suggested: best.asset.assetId, why }
}
