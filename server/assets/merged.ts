import { sql } from 'kysely'
import type { Reader, Trx } from '../db/database.ts'
import type { Library } from '../library.ts'

/** Longer than anybody merges one after the other; and an end, should they ever go round. */
const farthest = 20

/** From now on refs to these lead to the other, until they are restored. */
export const leadTo = (trx: Trx, { clientId }: Library, ids: string[], into: string) =>
  sql`insert into merged_assets (client_id, id, into_id)
    select ${clientId}, id, ${into} from unnest(${ids}::text[]) as gone (id)
    on conflict (client_id, id) do update set into_id = excluded.into_id, merged_at = now()`.execute(trx)

export const leadNoMore = (trx: Trx, { clientId }: Library, ids: string[]) =>
  trx
    .deleteFrom('merged_assets')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()

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
