import { sql } from 'kysely'
import {
  type Duplicate,
  type DuplicateGroup,
  type DuplicatePage,
  type DuplicateQuery,
  type KeepReason,
  mostInGroup,
} from '../../contract/duplicates.ts'
import { assetColumns, toAsset } from '../assets/asset.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'

/** So many assets are looked at for one page, however few of them have a twin. */
const lookedAtExact = 20_000
const lookedAtNear = 1_000
/** Of 64 bits: two that differ in no more have one band of four in common. */
export const nearBits = 3

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

/** In the order of checksums, from the index alone. A checksum that the window cuts off comes with the next one. */
async function exact({ db, clientId }: Library, after: string, limit: number): Promise<Found> {
  const looked = sql`select sha256, id from assets where client_id = ${clientId} and trashed_at is null and sha256 is not null
    and sha256 > ${after}::text order by sha256, id limit ${sql.lit(lookedAtExact)}`
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
      select sha256, (array_agg(id order by id))[1:${sql.lit(mostRead)}] as ids from (${looked}) as looked
      group by sha256 having count(*) > 1 order by sha256 limit ${sql.lit(limit + 1)}
    ), looked as materialized (${looked}), counted as (
      select count(*)::int as looked, max(sha256) as last from looked where (select count(*) from twins) <= ${sql.lit(limit)}
    ), ends as materialized (
      select *, case when looked > 0 then (select max(sha256) from looked where sha256 < last) end as whole from counted
    )
    select * from ends left join twins on true order by sha256`,
  )
  const { looked: count, last, whole } = rows[0]!
  const isCutOff = count === lookedAtExact && whole !== null
  const found = rows.filter(({ sha256 }) => sha256 !== null && !(isCutOff && sha256 === last))
  const page = found.slice(0, limit)
  const groups = page.map(({ ids }) => ids)
  if (found.length > limit) return { groups, next: page.at(-1)!.sha256 }
  return { groups, next: count === lookedAtExact ? (whole ?? last) : null }
}

/** In the order of ids: each with all that look like it, under the first of them. */
async function near({ db, clientId }: Library, after: string, limit: number): Promise<Found> {
  const sharing = (band: number, side: '>' | '<', most: number) => sql`
    (select o.id from assets o where o.client_id = ${clientId} and o.trashed_at is null and o.perceptual_hash is not null
      and hash_band(o.perceptual_hash, ${sql.lit(band)}) = hash_band(looked.perceptual_hash, ${sql.lit(band)})
      and bit_count(o.perceptual_hash # looked.perceptual_hash) <= ${sql.lit(nearBits)} and o.id ${sql.raw(side)} looked.id
    limit ${sql.lit(most)})`
  const alike = (side: '>' | '<', most: number) =>
    sql.join(
      [0, 1, 2, 3].map((band) => sharing(band, side, most)),
      sql` union `,
    )
  // One by one and in their order, so that it ends with the page.
  const rows = await askPrepared(
    db,
    sql<{ id: string | null; others: string[]; looked: number; last: string | null }>`
    with looked as materialized (
      select id, perceptual_hash from assets where client_id = ${clientId} and trashed_at is null
        and perceptual_hash is not null and id > ${after}::text order by id limit ${sql.lit(lookedAtNear)}
    )
    select ends.looked, ends.last, pairs.id, pairs.others
    from (select count(*)::int as looked, max(id) as last from looked) as ends left join lateral (
      select id, others from (
        select looked.*, others from looked cross join lateral (
          select array_agg(id order by id) as others from (${alike('>', mostInGroup)}) as other) as alike
        where others is not null order by looked.id offset 0) as looked
      -- A single one before it tells that it is in that one's group: asked only of those that have others.
      where not exists (${alike('<', 1)}) order by id limit ${sql.lit(limit + 1)}
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
      ])
      .where('client_id', '=', clientId)
      .where(sql<boolean>`id = any(${ids}::text[])`)
      .where('trashed_at', 'is', null),
  )
  const byId = new Map(
    rows.map(({ uses, deliveries, collections, ...row }) => [
      row.id,
      { asset: toAsset(row), uses, deliveries, collections },
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
