import type { Db } from '../db/reader.ts'
import type { JobName } from './queues.ts'

/** From here on it is expected to run. */
export const expectRuns = (db: Db, name: JobName) =>
  db
    .insertInto('scheduled_runs')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Writes down how a scheduled job ended: nobody waits for it who would notice. */
export async function recorded(db: Db, name: JobName, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { message } = error as Error
    await ended(db, name, { last_failed_at: new Date(), last_error: message.slice(0, 1000) }).catch(() => {})
    throw error
  }
  await ended(db, name, { last_succeeded_at: new Date(), last_error: null })
}

const ended = (db: Db, name: JobName, columns: object) =>
  db.updateTable('scheduled_runs').set(columns).where('name', '=', name).execute()
