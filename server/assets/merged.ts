import { sql } from 'kysely'
import type { Reader, Trx } from '../db/database.ts'
import type { Change, Library } from '../library.ts'

/** Longer than anybody merges one after the other; and an end, should they ever go round. */
const farthest = 20

/** From now on refs to these lead to the other, until they are restored. */
export const leadTo = (trx: Trx, { clientId }: Library, ids: string[], into: string) =>
  sql`insert into merged_assets (client_id, id, into_id)
    select ${clientId}, id, ${into} from unnest(${ids}::text[]) as gone (id)
    on conflict (client_id, id) do update set into_id = excluded.into_id, merged_at = now()`.execute(trx)

/** Each of these is itself again, and whoever took its place in collections and shared selections leaves them. */
export async function leadNoMore(its: Change, library: Library, ids: string[]): Promise<void> {
  const led = await its.trx
    .deleteFrom('merged_assets')
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .returning('into_id')
    .execute()
  const standIns = [...new Set(led.map(({ into_id }) => into_id))]
  if (standIns.length > 0) await standNoMore(its, library, standIns, ids)
}

/** One that stands there for others too, or that somebody has put there, stays. */
async function standNoMore(its: Change, { clientId }: Library, standIns: string[], forIds: string[]) {
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

/** Where the refs of these lead: of those that were merged, the asset that is there now. */
export async function mergedInto(
  db: Reader,
  { clientId }: Library,
  ids: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; into_id: string }>`
    with recursive led as (
      select id, into_id, 1 as steps from merged_assets where client_id = ${clientId} and id = any(${ids}::text[])
      union all
      select led.id, m.into_id, led.steps + 1 from led join merged_assets m
        on m.client_id = ${clientId} and m.id = led.into_id where led.steps < ${farthest}
    )
    select distinct on (id) id, into_id from led order by id, steps desc`.execute(db)
  return new Map(rows.map(({ id, into_id }) => [id, into_id]))
}
