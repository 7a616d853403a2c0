import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Db } from '../db/reader.ts'

const everySeconds = 10

/** Says again and again that this process takes jobs, until it stops. */
export async function beat(db: Db, unheard: (error: unknown) => void): Promise<{ stop(): Promise<void> }> {
  const id = randomUUID()
  await say(db, id)
  const timer = setInterval(() => say(db, id).catch(unheard), everySeconds * 1000)
  return {
    async stop() {
      clearInterval(timer)
      await db
        .deleteFrom('job_workers')
        .where('id', '=', id)
        .execute()
        .catch(() => {})
    },
  }
}

async function say(db: Db, id: string): Promise<void> {
  const beat_at = sql<Date>`now()`
  await db
    .insertInto('job_workers')
    .values({ id, host: hostname(), beat_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ beat_at }))
    .execute()
  await db.deleteFrom('job_workers').where('beat_at', '<', sql<Date>`now() - interval '1 hour'`).execute()
}
