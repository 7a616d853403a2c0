import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Problem } from '../problems.ts'
import type { Device } from './known-device.ts'
import { networkOf } from './network.ts'
import { SlowTurns } from './slow-turns.ts'

const windowMinutes = 15
const mostPerPair = 10
const mostPerDevice = 10
const mostPerNetwork = 100
const freePerAccount = 30
const longestPause = 5000
const mostWaiting = 12

export interface Attempt {
  email: string
  address: string
  device: Device | undefined
}

/**
 * Counts the attempt before the password is looked at, so that attempts sent at once count too. The counts are
 * in the database: every node sees them.
 *
 * Nobody can shut out anybody else: an account is closed to one network at a time, and a browser it was logged in
 * with before counts for itself alone. Guesses from many networks at one account are not refused but made to wait.
 */
export async function noteAttempt(db: Db, turns: SlowTurns, attempt: Attempt): Promise<void> {
  const limits = limitsOf(attempt)
  const account = accountBucket(attempt.email)
  const buckets = Object.keys(limits)
  await db
    .insertInto('login_attempts')
    .values(buckets.map((bucket) => ({ bucket })))
    .execute()
  const counts = await db
    .selectFrom('login_attempts')
    .select(['bucket', ({ fn }) => fn.countAll<number>().as('attempts')])
    .where('bucket', 'in', buckets)
    .where('attempted_at', '>', sql<Date>`now() - make_interval(mins => ${windowMinutes})`)
    .groupBy('bucket')
    .execute()
  if (counts.some(({ bucket, attempts }) => attempts > limits[bucket]!))
    throw tooManyAttempts(windowMinutes * 60)

  const all = counts.find(({ bucket }) => bucket === account)?.attempts ?? 0
  if (all <= freePerAccount) return
  const pause = Math.min(longestPause, 250 * 2 ** (all - freePerAccount - 1))
  if (!(await turns.wait(account, networkOf(attempt.address), pause)))
    throw tooManyAttempts((mostWaiting * longestPause) / 1000)
}

/** Who got in takes back what was counted against them, so that a busy office does not lock itself out. */
export async function forgetAttempts(db: Db, attempt: Attempt): Promise<void> {
  const own = isKnown(attempt) ? deviceBucket(attempt) : pairBucket(attempt)
  await db.deleteFrom('login_attempts').where('bucket', '=', own).execute()
  for (const bucket of Object.keys(limitsOf(attempt)).filter((bucket) => bucket !== own))
    await sql`delete from login_attempts where ctid = (
      select ctid from login_attempts where bucket = ${bucket} order by attempted_at desc limit 1)`.execute(
      db,
    )
}

export const openTurns = () => new SlowTurns(mostWaiting)

function limitsOf(attempt: Attempt): Record<string, number> {
  if (isKnown(attempt)) return { [deviceBucket(attempt)]: mostPerDevice }
  return {
    [pairBucket(attempt)]: mostPerPair,
    [networkBucket(attempt.address)]: mostPerNetwork,
    [accountBucket(attempt.email)]: Number.POSITIVE_INFINITY,
  }
}

const isKnown = ({ email, device }: Attempt) => device?.accounts.includes(accountOf(email)) === true

export const forgetOldAttempts = (db: Db) =>
  db
    .deleteFrom('login_attempts')
    .where('attempted_at', '<', sql<Date>`now() - make_interval(mins => ${windowMinutes})`)
    .execute()

const networkBucket = (address: string) => `network ${networkOf(address)}`

/** Known or not: an account is its e-mail, hashed. */
export const accountOf = (email: string) =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 32)

const accountBucket = (email: string) => `account ${accountOf(email)}`
const pairBucket = ({ email, address }: Attempt) => `pair ${accountOf(email)} ${networkOf(address)}`
const deviceBucket = ({ email, device }: Attempt) => `device ${accountOf(email)} ${device!.id}`

const tooManyAttempts = (seconds: number) =>
  new Problem(
    'too-many-attempts',
    `Too many attempts to log in. Wait ${Math.ceil(seconds / 60)} min and try again, or log in where you did before.`,
    { headers: { 'retry-after': String(seconds) } },
  )
