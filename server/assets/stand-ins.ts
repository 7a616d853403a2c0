import { sql } from 'kysely'
import type { Change, Library } from '../library.ts'

/** Wherever one of these stands, in collections and shared selections, the other stands too, at the same place, until they come back to theirs. */
export async function standIn(
  its: Change,
  { clientId }: Library,
  assetId: string,
  forIds: string[],
): Promise<void> {
  await sql`select join_selections(${clientId}, ${assetId}, ${forIds}::text[])`.execute(its.trx)
  const theirs = sql`select client_id, collection_id, min(place) as place, array_agg(asset_id) as ids from collection_assets
    where client_id = ${clientId} and asset_id = any(${forIds}::text[]) group by client_id, collection_id`
  await sql`update collection_assets i set stands_for = i.stands_for || theirs.ids from (${theirs}) as theirs
    where i.client_id = theirs.client_id and i.collection_id = theirs.collection_id and i.asset_id = ${assetId}
      and i.stands_for is not null and not i.stands_for @> theirs.ids`.execute(its.trx)
  const { rows } = await sql<{ id: string; name: string }>`
    with stands as (
      insert into collection_assets (client_id, collection_id, asset_id, place, stands_for)
      select client_id, collection_id, ${assetId}, place, ids from (${theirs}) as theirs
      on conflict do nothing returning collection_id as id
    )
    select id, collection_name(${clientId}, id) as name from stands order by id`.execute(its.trx)
  for (const { id, name } of rows) its.tell('collection.assets-added', id, { name, assetIds: [assetId] })
}

/** One that stands there for others too, or that somebody has put there, stays. */
export async function standNoMore(
  its: Change,
  { clientId }: Library,
  standIns: string[],
  forIds: string[],
): Promise<void> {
  await sql`select leave_selections(${clientId}, ${standIns}::text[], ${forIds}::text[])`.execute(its.trx)
  await sql`update collection_assets
    set stands_for = array(select id from unnest(stands_for) as id where id <> all(${forIds}::text[]))
    where client_id = ${clientId} and asset_id = any(${standIns}::text[]) and stands_for && ${forIds}::text[]`.execute(
    its.trx,
  )
  const { rows } = await sql<{ id: string; name: string; asset_ids: string[] }>`
    with gone as (
      delete from collection_assets
      where client_id = ${clientId} and asset_id = any(${standIns}::text[]) and stands_for = '{}'
      returning collection_id as id, asset_id
    )
    select id, collection_name(${clientId}, id) as name, array_agg(asset_id order by asset_id) as asset_ids
    from gone group by id order by id`.execute(its.trx)
  for (const { id, name, asset_ids } of rows)
    its.tell('collection.assets-removed', id, { name, assetIds: asset_ids })
}
