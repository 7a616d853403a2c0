import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'

const today = sql<Date>`(now() at time zone 'UTC')::date`
/** When as many may be asked about again. */
export const nextDay = sql<Date>`(${today} + 1)::timestamp at time zone 'UTC'`
const keptDays = 40

export async function askedToday({ db, clientId }: Library): Promise<number> {
  const row = await db
    .selectFrom('suggestion_days')
    .select('asked')
    .where('client_id', '=', clientId)
    .where('day', '=', today)
    .executeTakeFirst()
  return row?.asked ?? 0
}

/** Counts one picture, before the model is asked: what it may cost is spent by then. 0: without a limit. */
export const countOne = (library: Library, limit: number): Promise<void> =>
  change(library, async ({ trx }) => {
    const { rows } = await sql`
      insert into suggestion_days (client_id, day, asked) values (${library.clientId}, ${today}, 1)
      on conflict (client_id, day) do update set asked = suggestion_days.asked + 1
        where ${limit}::integer = 0 or suggestion_days.asked < ${limit}::integer
      returning asked`.execute(trx)
    if (rows.length === 0) throw limitReached(limit)
  })

export async function refuseOverLimit(library: Library, limit: number): Promise<void> {
  if (limit > 0 && (await askedToday(library)) >= limit) throw limitReached(limit)
}

function limitReached(limit: number) {
  const now = Date.now()
  const seconds = Math.ceil((86_400_000 - (now % 86_400_000)) / 1000)
  return new Problem(
    'ai-limit-reached',
    `A model was asked about ${limit} pictures of this client today, which is the limit of a day. Go on tomorrow (UTC).`,
    { headers: { 'retry-after': String(seconds) }, extra: { params: { limit } } },
  )
}

export const forgetOldDays = (db: Db) =>
  db
    .deleteFrom('suggestion_days')
    .where('day', '<', sql<Date>`now() - make_interval(days => ${sql.lit(keptDays)})`)
    .execute()
