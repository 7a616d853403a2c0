import { sql } from 'kysely'
import { forgetClient } from '../changes/audit-trail.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import { type Parts, system } from '../library.ts'
import type { Storage } from '../storage/storage.ts'
import { clientTables, deleteRows } from './client-tables.ts'
import type { Removal } from './removals.ts'

/**
 * Removes what is left of a client: rows, table by table, then objects, then the client itself. Each step counts what
 * it removed with the removal or before it, so the job may die anywhere, and the next one goes on.
 */
export async function finishRemoval({ db, store }: Parts, { clientId }: { clientId: string }): Promise<void> {
  const removal = await db
    .selectFrom('client_removals')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (!removal || removal.finished_at) return
  for (const { name } of await clientTables(db))
    await changePlatform(db, system, async ({ trx }) =>
      count(trx, clientId, name, await deleteRows(trx, name, clientId)),
    )
  await removeObjects(db, store.storageOf(clientId), removal)
  await changePlatform(db, system, async ({ trx, note }) => {
    await forgetClient(trx, clientId)
    // What refers to it still, because it was written meanwhile, makes this fail and the job start over.
    await trx.deleteFrom('clients').where('id', '=', clientId).execute()
    const { rows, objects, object_bytes } = await trx
      .updateTable('client_removals')
      .set({ finished_at: new Date() })
      .where('client_id', '=', clientId)
      .returningAll()
      .executeTakeFirstOrThrow()
    note({
      action: 'client.removed',
      thing: clientId,
      clientId,
      details: { objects, objectBytes: object_bytes, rows },
    })
  })
}

/** What a URL brought that was given out before: it could be used until it expired. */
export async function removeLateUploads({ db, store }: Parts): Promise<void> {
  const due = await db
    .selectFrom('client_removals')
    .selectAll()
    .where('finished_at', 'is not', null)
    .where('look_again_at', '<', new Date())
    .execute()
  for (const removal of due) {
    await removeObjects(db, store.storageOf(removal.client_id), { ...removal, counted_to: '' })
    await db
      .updateTable('client_removals')
      .set({ look_again_at: null })
      .where('client_id', '=', removal.client_id)
      .execute()
  }
}

/** Adds to the rows that are gone; in the transaction that removes them. */
async function count(trx: Trx, clientId: string, table: string, rows: number): Promise<void> {
  if (rows === 0) return
  await sql`update client_removals set rows = rows ||
    jsonb_build_object(${table}::text, coalesce((rows ->> ${table})::bigint, 0) + ${rows}::bigint)
    where client_id = ${clientId}`.execute(trx)
}

const atOnce = 1000

/** Counted before they are removed, up to a key: whoever starts over removes the same ones again and counts none twice. */
async function removeObjects(db: Db, storage: Storage, { client_id, counted_to }: Removal): Promise<void> {
  let some: { key: string; sizeBytes: number }[] = []
  const remove = async () => {
    const fresh = some.filter(({ key }) => key > counted_to)
    if (fresh.length > 0)
      await db
        .updateTable('client_removals')
        .set({
          objects: sql`objects + ${fresh.length}`,
          object_bytes: sql`object_bytes + ${fresh.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)}`,
          counted_to: fresh.at(-1)!.key,
        })
        .where('client_id', '=', client_id)
        .execute()
    await storage.delete(some.map(({ key }) => key))
    some = []
  }
  for await (const { key, sizeBytes } of storage.list('')) {
    some.push({ key, sizeBytes })
    if (some.length === atOnce) await remove()
  }
  if (some.length > 0) await remove()
}
