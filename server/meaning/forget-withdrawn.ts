import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

const atOnce = 5000

/** Who does not consent any more leaves nothing behind. */
export async function forgetWithdrawn(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from clients c where not exists (select from ai_consents where client_id = c.id)
      and (exists (select from asset_vectors v where v.client_id = c.id)
        or exists (select from asset_vectors_due d where d.client_id = c.id)
        or exists (select from asset_vectors_progress p where p.client_id = c.id))`.execute(db)
  for (const { id } of rows) {
    await sql`delete from asset_vectors_progress where client_id = ${id}`.execute(db)
    await sql`delete from asset_vectors_due where client_id = ${id}`.execute(db)
    while (await forgetSome(db, id));
  }
}

async function forgetSome(db: Db, clientId: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from asset_vectors where client_id = ${clientId} and asset_id in (
    select asset_id from asset_vectors where client_id = ${clientId} limit ${sql.lit(atOnce)})`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
