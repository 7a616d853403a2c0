import { sql } from 'kysely'
import { mostInCollection } from '../../contract/collections.ts'
import type { Trx } from '../db/database.ts'
import { isId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'

interface Held {
  client_id: string
  id: string
}

/** So far apart that one can be put between two others some thirty times before all are numbered anew. */
const gap = 2 ** 30

/** All of them there and out of the trash, or none is put anywhere; none is purged before the change is over. */
export async function keepAssets(trx: Trx, { clientId }: Library, assetIds: string[]): Promise<void> {
  if (assetIds.length === 0) return
  const there = await trx
    .selectFrom('assets')
    .select('id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${assetIds}::text[])`)
    .where('trashed_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (there.length < assetIds.length || !assetIds.every((id) => isId('asset', id))) throw notFound('No asset')
}

/** Puts new ones before another, or at the end, in the order in which they are named; those that are there stay. */
export async function putAssets(
  trx: Trx,
  collection: Held,
  assetIds: string[],
  before?: string,
): Promise<string[]> {
  const there = new Set((await placesOf(trx, collection, assetIds)).map(({ asset_id }) => asset_id))
  await stayAnyway(trx, collection, [...there])
  const fresh = assetIds.filter((id) => !there.has(id))
  if (fresh.length === 0) return []
  await refuseFull(trx, collection, fresh.length)
  const room = await roomBefore(trx, collection, fresh.length, before)
  await trx
    .insertInto('collection_assets')
    .values(
      fresh.map((asset_id, at) => ({
        client_id: collection.client_id,
        collection_id: collection.id,
        asset_id,
        place: room.from + room.step * (at + 1),
      })),
    )
    .execute()
  return fresh
}

/** What a merge has put there, and now somebody too, does not go when the merge is taken back. */
const stayAnyway = (trx: Trx, { client_id, id }: Held, assetIds: string[]) =>
  sql`update collection_assets set stands_for = null
    where client_id = ${client_id} and collection_id = ${id} and asset_id = any(${assetIds}::text[])
      and stands_for is not null`.execute(trx)

/** Puts those that are there before another, or at the end, in the order in which they are named. */
export async function moveAssets(
  trx: Trx,
  collection: Held,
  assetIds: string[],
  before?: string,
): Promise<void> {
  const there = await placesOf(trx, collection, assetIds)
  if (there.length < assetIds.length) throw notFound('No asset of the collection')
  const room = await roomBefore(trx, collection, assetIds.length, before, assetIds)
  await sql`update collection_assets i set place = ${room.from}::bigint + ${room.step}::bigint * moved.at
    from unnest(${assetIds}::text[]) with ordinality as moved (id, at)
    where i.client_id = ${collection.client_id} and i.collection_id = ${collection.id} and i.asset_id = moved.id`.execute(
    trx,
  )
}

export async function takeOut(trx: Trx, collection: Held, assetIds: string[]): Promise<string[]> {
  const gone = await trx
    .deleteFrom('collection_assets')
    .where('client_id', '=', collection.client_id)
    .where('collection_id', '=', collection.id)
    .where(sql<boolean>`asset_id = any(${assetIds}::text[])`)
    .returning('asset_id')
    .execute()
  return gone.map(({ asset_id }) => asset_id)
}

const placesOf = (trx: Trx, collection: Held, assetIds: string[]) =>
  trx
    .selectFrom('collection_assets')
    .select(['asset_id', 'place'])
    .where('client_id', '=', collection.client_id)
    .where('collection_id', '=', collection.id)
    .where(sql<boolean>`asset_id = any(${assetIds}::text[])`)
    .execute()

interface Room {
  from: number
  step: number
}

/** Where so many fit before this one, or behind all; those that leave their places are not in the way. */
async function roomBefore(
  trx: Trx,
  collection: Held,
  count: number,
  before: string | undefined,
  leaving: string[] = [],
): Promise<Room> {
  if (before === undefined) return { from: await lastPlace(trx, collection, leaving), step: gap }
  const room = await gapBefore(trx, collection, count, before, leaving)
  if (room.step >= 1) return room
  await numberAnew(trx, collection)
  return gapBefore(trx, collection, count, before, leaving)
}

async function gapBefore(
  trx: Trx,
  collection: Held,
  count: number,
  before: string,
  leaving: string[],
): Promise<Room> {
  const [next] = await placesOf(trx, collection, [before])
  if (!next) throw notFound('No asset of the collection')
  const from = await lastPlace(trx, collection, leaving, next.place)
  return { from, step: Math.min(gap, Math.floor((next.place - from) / (count + 1))) }
}

/** Of those before this place, if one is given. */
async function lastPlace(trx: Trx, collection: Held, leaving: string[], below?: number): Promise<number> {
  const last = await trx
    .selectFrom('collection_assets')
    .select('place')
    .where('client_id', '=', collection.client_id)
    .where('collection_id', '=', collection.id)
    .where(sql<boolean>`asset_id <> all(${leaving}::text[])`)
    .$if(below !== undefined, (query) => query.where('place', '<', below!))
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.place ?? (below === undefined ? 0 : below - 2 * gap)
}

/** In the order they have. */
const numberAnew = (trx: Trx, { client_id, id }: Held) =>
  sql`update collection_assets i set place = ordered.at * ${gap * 2}::bigint
    from (select asset_id, row_number() over (order by place, asset_id) as at from collection_assets
      where client_id = ${client_id} and collection_id = ${id}) as ordered
    where i.client_id = ${client_id} and i.collection_id = ${id} and i.asset_id = ordered.asset_id`.execute(
    trx,
  )

/** Those in the trash count too: they can come back. */
async function refuseFull(trx: Trx, { client_id, id }: Held, more: number): Promise<void> {
  const { count } = await trx
    .selectFrom('collection_assets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('client_id', '=', client_id)
    .where('collection_id', '=', id)
    .executeTakeFirstOrThrow()
  if (count + more <= mostInCollection) return
  throw new Problem(
    'collection-full',
    `A collection has room for ${mostInCollection} assets. Make another one, or take some out.`,
    { extra: { params: { most: mostInCollection } } },
  )
}
