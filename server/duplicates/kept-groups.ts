import { type RawBuilder, sql } from 'kysely'
import {
  type DuplicateKind,
  type KeepAll,
  type KeptGroup,
  type KeptGroupPage,
  type KeptGroupQuery,
  mostInGroup,
  mostKept,
} from '../../contract/duplicates.ts'
import { assetColumns, toAsset } from '../assets/asset.ts'
import { heldRows } from '../assets/assets.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Reader, Trx } from '../db/database.ts'
import { isId, knownId, newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { looksLike, refuseStrangers } from './alike.ts'

/** Keeps all of some duplicates: they make no group by themselves any more. Asked again, it is done already. */
export const keepAll = (library: Library, { assetIds, more }: KeepAll): Promise<KeptGroup> =>
  changeOnce(library, async (its) => {
    const wellFormed = assetIds.filter((id) => isId('asset', id))
    const named = await heldRows(its, library, wellFormed)
    if (named.filter(({ trashed_at }) => trashed_at === null).length < assetIds.length)
      throw notFound('No asset')
    await refuseStrangers(its.trx, library, assetIds[0]!, assetIds)
    const all = more ? await withMore(its.trx, library, assetIds, more) : assetIds
    const keptGroupId = (await groupWith(its.trx, library, all)) ?? (await keepGroup(its, library, all))
    return readGroup(its.trx, library, keptGroupId)
  })

/** Lets its assets be duplicates of each other again. */
export const reopenGroup = (library: Library, keptGroupId: string): Promise<KeptGroup> =>
  change(library, async (its) => {
    const row = await its.trx
      .selectFrom('kept_groups')
      .select('id')
      .where('client_id', '=', library.clientId)
      .where('id', '=', knownId('group', keptGroupId))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('No group')
    const group = await readGroup(its.trx, library, row.id)
    await its.trx
      .deleteFrom('kept_groups')
      .where('client_id', '=', library.clientId)
      .where('id', '=', row.id)
      .execute()
    its.tell('duplicates.reopened', row.id, told(group))
    return group
  })

/** The latest first. */
export async function listKeptGroups(library: Library, query: KeptGroupQuery): Promise<KeptGroupPage> {
  const { limit = 20, cursor } = query
  let listed = library.db
    .selectFrom('kept_groups')
    .where('client_id', '=', library.clientId)
    .where('within', 'is', null)
  const { count } = await listed.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  if (cursor !== undefined) listed = listed.where('id', '<', readCursor(cursor, ['text'])[0])
  const rows = await listed
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit).map(({ id }) => id)
  return {
    keptGroups: await readGroups(library.db, library, page),
    count,
    nextCursor: rows.length > limit ? writeCursor([page.at(-1)!]) : null,
  }
}

/** With all that have the same bytes as one of them, or look like it. */
async function withMore(
  trx: Trx,
  { clientId }: Library,
  assetIds: string[],
  kind: DuplicateKind,
): Promise<string[]> {
  const alike: Record<DuplicateKind, RawBuilder<unknown>> = {
    exact: sql`select o.id from assets o where o.client_id = ${clientId} and o.trashed_at is null and o.sha256 = named.sha256`,
    near: looksLike(clientId, sql`named.perceptual_hash`),
  }
  const { rows } = await sql<{ id: string }>`
    select id from assets where client_id = ${clientId} and id = any(${assetIds}::text[])
    union select alike.id from assets named cross join lateral (${alike[kind]}) as alike
    where named.client_id = ${clientId} and named.id = any(${assetIds}::text[])
    limit ${sql.lit(mostKept + 1)}`.execute(trx)
  if (rows.length > mostKept)
    throw new Problem(
      'invalid-request',
      `There are more than ${mostKept} of them. Keep one of some, or only those that are named.`,
    )
  return rows.map(({ id }) => id)
}

/** One that has all of them already. */
async function groupWith(trx: Trx, { clientId }: Library, assetIds: string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select g.id from kept_group_assets first join kept_groups g on g.client_id = first.client_id and g.id = first.group_id
    where first.client_id = ${clientId} and first.asset_id = ${assetIds[0]!} and g.within is null and (
      select count(*) from kept_group_assets its where its.client_id = g.client_id and its.group_id = g.id
        and its.asset_id = any(${assetIds}::text[])) = ${assetIds.length}
    order by g.id desc limit 1`.execute(trx)
  return rows[0]?.id
}

async function keepGroup(its: Change, library: Library, assetIds: string[]): Promise<string> {
  const id = newId('group')
  await makeGroup(its.trx, { clientId: library.clientId, id, keptBy: library.caller.id, assetIds })
  its.tell('duplicates.kept', id, told(await readGroup(its.trx, library, id)))
  return id
}

export interface NewGroup {
  clientId: string
  id: string
  keptBy: string
  keptAt?: string
  assetIds: string[]
}

/** Those that have no other assets are within it. */
export async function makeGroup(
  trx: Trx,
  { clientId, id, keptBy, keptAt, assetIds }: NewGroup,
): Promise<boolean> {
  const made = await trx
    .insertInto('kept_groups')
    .values({ client_id: clientId, id, kept_by: keptBy, ...(keptAt && { kept_at: keptAt }) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return false
  await sql`insert into kept_group_assets (client_id, group_id, asset_id)
    select ${clientId}, ${id}, unnest(${assetIds}::text[])`.execute(trx)
  await sql`update kept_groups g set within = ${id}
    where client_id = ${clientId} and id <> ${id} and within is null
      and id in (select group_id from kept_group_assets where client_id = ${clientId} and asset_id = any(${assetIds}::text[]))
      and not exists (select from kept_group_assets its where its.client_id = ${clientId} and its.group_id = g.id
        and not exists (select from kept_group_assets own where own.client_id = ${clientId} and own.group_id = ${id}
          and own.asset_id = its.asset_id))`.execute(trx)
  return true
}

const told = ({ assets: [oldest], count }: KeptGroup) => ({ title: oldest!.title, count })

const readGroup = async (db: Reader, library: Library, id: string): Promise<KeptGroup> =>
  (await readGroups(db, library, [id]))[0]!

async function readGroups(db: Reader, { clientId }: Library, ids: string[]): Promise<KeptGroup[]> {
  if (ids.length === 0) return []
  const { rows: groups } = await sql<{
    id: string
    kept_at: Date
    kept_by: string
    count: number
    asset_ids: string[]
  }>`select id, kept_at, kept_by,
      (select count(*)::int from kept_group_assets its where its.client_id = g.client_id and its.group_id = g.id) as count,
      array(select its.asset_id from kept_group_assets its where its.client_id = g.client_id and its.group_id = g.id
        order by its.asset_id limit ${sql.lit(mostInGroup)}) as asset_ids
    from kept_groups g where client_id = ${clientId} and id = any(${ids}::text[]) order by id desc`.execute(
    db,
  )
  const assets = await db
    .selectFrom('assets')
    .select(assetColumns)
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${groups.flatMap(({ asset_ids }) => asset_ids)}::text[])`)
    .execute()
  const byId = new Map(assets.map((row) => [row.id, toAsset(row)]))
  return groups.map(({ id, kept_at, kept_by, count, asset_ids }) => ({
    keptGroupId: id,
    assets: asset_ids.flatMap((assetId) => byId.get(assetId) ?? []),
    count,
    keptAt: kept_at.toISOString(),
    keptBy: kept_by,
  }))
}
