import { sql } from 'kysely'
import type { Reader, Trx } from '../db/database.ts'
import { Problem } from '../problems.ts'
import type { Sealer } from '../secrets.ts'

/** What a caller sent to say that a repeat of this request means the same thing. */
export interface IdempotencyKey {
  callerId: string
  key: string
  fingerprint: string
  sealer: Sealer
}

/**
 * Does the work once per key. The answer is kept in the work's own transaction, so there is no moment in which
 * the work is done and a repeat would do it again. A repeat that comes meanwhile waits for the first to end.
 */
export async function idempotently<T>(
  trx: Trx,
  key: IdempotencyKey | undefined,
  work: () => Promise<T>,
  /** Whom the answer tells of, once it is known: it goes with them. */
  clientOf: () => string | null,
): Promise<T> {
  if (!key) return work()
  const first = await trx
    .insertInto('idempotent_answers')
    .values({ principal_id: key.callerId, key: key.key, fingerprint: key.fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()

  if (!first) {
    const kept = await trx
      .selectFrom('idempotent_answers')
      .select(['fingerprint', 'sealed_answer'])
      .where('principal_id', '=', key.callerId)
      .where('key', '=', key.key)
      .executeTakeFirstOrThrow()
    if (kept.fingerprint !== key.fingerprint) throw keyReused()
    return JSON.parse(key.sealer.open(kept.sealed_answer!))
  }

  const answer = await work()
  await trx
    .updateTable('idempotent_answers')
    .set({ sealed_answer: key.sealer.seal(JSON.stringify(answer)), client_id: clientOf() })
    .where('principal_id', '=', key.callerId)
    .where('key', '=', key.key)
    .execute()
  return answer
}

const keyReused = () =>
  new Problem(
    'idempotency-key-reused',
    'This Idempotency-Key was sent with another request. Use a new key for a new request.',
  )

/** Nobody is left to repeat their requests. */
export async function forgetAnswersTo(trx: Trx, principalIds: string[]): Promise<void> {
  if (principalIds.length === 0) return
  await trx.deleteFrom('idempotent_answers').where('principal_id', 'in', principalIds).execute()
}

export const forgetOldAnswers = (db: Reader) =>
  db.deleteFrom('idempotent_answers').where('created_at', '<', sql<Date>`now() - interval '1 day'`).execute()
