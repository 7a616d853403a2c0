import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Problem } from '../problems.ts'
import { networkOf, siteOf } from './network.ts'

const windowMinutes = 15
const most = { network: 10, site: 30 }

/**
 * Counts a guess at the password of one thing that is no account, before it is looked at; answers how to take it back.
 * Only the network that guesses is shut out: whoever else was given the password still comes in.
 */
export async function countGuess(db: Db, thing: string, address: string): Promise<() => Promise<void>> {
  // Under IPv4 a site is its network: what is said last, and stricter, holds.
  const limits: Record<string, number> = {
    [`guess ${thing} ${siteOf(address)}`]: most.site,
    [`guess ${thing} ${networkOf(address)}`]: most.network,
  }
  const { attempt } = await countTries(db, limits, windowMinutes, tooManyGuesses)
  return async () => void (await db.deleteFrom('login_attempts').where('attempt', '=', attempt).execute())
}

const wrongCodes = { most: 30, toldAt: 5, minutes: 24 * 60 }

/**
 * Counts a code of six digits before it is looked at; answers how to take it back, and whether a wrong one is one too many to keep from the person. Three of a million fit at any time, so from however many
 * networks they come there are few a day. Nobody can use them up who does not know the password. Those of all browsers in which the person logged in before are as few, and counted apart.
 */
export async function countCode(db: Db, userId: string, isKnown: boolean): Promise<CountedCode> {
  const bucket = isKnown ? `code ${userId} known` : `code ${userId}`
  const { attempt, tries } = await countTries(db, { [bucket]: wrongCodes.most }, wrongCodes.minutes, () => {
    const detail =
      'Too many wrong codes for this login today. Somebody may know its password: use a passkey or a recovery code and change it, or ask an administrator.'
    return new Problem('too-many-attempts', detail, { headers: { 'retry-after': '3600' } })
  })
  return {
    takeBack: async () =>
      void (await db.deleteFrom('login_attempts').where('attempt', '=', attempt).execute()),
    isToBeTold: tries[bucket] === wrongCodes.toldAt,
  }
}

interface CountedCode {
  takeBack(): Promise<void>
  isToBeTold: boolean
}

const newEmails = { most: 5, minutes: 60 }

/**
 * Counts a new e-mail that would count at once, whether or not it is taken: whoever is here could ask that of any
 * address there is.
 */
export const countNewEmail = (db: Db, userId: string) =>
  countTries(db, { [`new-email ${userId}`]: newEmails.most }, newEmails.minutes, () => {
    const detail = 'You have tried several addresses. Wait an hour, or ask an administrator.'
    return new Problem('too-many-attempts', detail, {
      headers: { 'retry-after': String(newEmails.minutes * 60) },
    })
  })

async function countTries(
  db: Db,
  limits: Record<string, number>,
  minutes: number,
  refusal: () => Problem,
): Promise<{ attempt: string; tries: Record<string, number> }> {
  const attempt = randomUUID()
  const buckets = Object.keys(limits).sort()
  return db.transaction().execute(async (trx) => {
    for (const bucket of buckets)
      await sql`select pg_advisory_xact_lock(hashtextextended(${bucket}, 0))`.execute(trx)
    await trx
      .insertInto('login_attempts')
      .values(buckets.map((bucket) => ({ bucket, attempt })))
      .execute()
    const counts = await trx
      .selectFrom('login_attempts')
      .select(['bucket', ({ fn }) => fn.countAll<number>().as('guesses')])
      .where('bucket', 'in', buckets)
      .where('attempted_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
      .groupBy('bucket')
      .execute()
    if (counts.some(({ bucket, guesses }) => guesses > limits[bucket]!)) throw refusal()
    return { attempt, tries: Object.fromEntries(counts.map(({ bucket, guesses }) => [bucket, guesses])) }
  })
}

const tooManyGuesses = () =>
  new Problem(
    'too-many-attempts',
    `Too many wrong passwords from where you are. Wait ${windowMinutes} min and try again.`,
    { headers: { 'retry-after': String(windowMinutes * 60) } },
  )
