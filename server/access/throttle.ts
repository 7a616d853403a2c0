import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { Problem } from '../problems.ts'
import type { Device } from './known-device.ts'
import { networkOf, siteOf } from './network.ts'
import { SlowTurns } from './slow-turns.ts'

const windowMinutes = 15
const most = { pair: 10, sitePair: 30, network: 100, site: 300, device: 10 }
/** So many failures in a day, and a network still tries without standing in the account's line. */
const fewToday = { pair: 3, sitePair: 30 }
const freePerAccount = 30
const longestPause = 5000
const mostWaiting = 12

export interface Attempt {
  /** Whose secret is guessed at: an e-mail, known or not, or another name for what is guessed. */
  account: string
  address: string
  device: Device | undefined
  /** Whose login it is a part of, if what is guessed at has another name. */
  login?: string
}

/**
 * Counts the attempt before the password is looked at, so that attempts sent at once count too; what is refused here
 * is not counted. The counts are in the database: every node sees them.
 *
 * Nobody can shut out anybody else: an account is closed to one network at a time, and a browser it was logged in
 * with before counts for itself alone. While many networks guess at one account, each attempt waits. Those of a network
 * with few failures wait for themselves, all others in one line that may be full.
 */
export async function noteAttempt(db: Db, turns: SlowTurns, attempt: Attempt): Promise<void> {
  const id = randomUUID()
  const counts = await db.transaction().execute((trx) => countAttempt(trx, id, attempt))
  const account = accountBucket(attempt.account)
  const all = counts.get(account)?.recent ?? 0
  if (all <= freePerAccount) return
  const pause = Math.min(longestPause, 250 * 2 ** (all - freePerAccount - 1))
  if (hasFewFailures(attempt, counts)) return pauseFor(pause)
  if (await turns.wait(account, networkOf(attempt.address), pause)) return
  await db.deleteFrom('login_attempts').where('attempt', '=', id).execute()
  throw tooManyAttempts((mostWaiting * longestPause) / 1000)
}

/** Who got in takes back what was counted against them, so that a busy office does not lock itself out. */
export async function forgetAttempts(db: Db, attempt: Attempt): Promise<void> {
  const own = isKnown(attempt) ? deviceBucket(attempt) : pairBucket(attempt)
  await db
    .deleteFrom('login_attempts')
    .where('attempt', 'in', (eb) =>
      eb.selectFrom('login_attempts').select('attempt').where('bucket', '=', own),
    )
    .execute()
}

export const openTurns = () => new SlowTurns(mostWaiting)

interface Count {
  recent: number
  today: number
}

/** Adds the attempt to what it counts for, unless one of that is full. */
async function countAttempt(trx: Trx, id: string, attempt: Attempt): Promise<Map<string, Count>> {
  const limits = limitsOf(attempt)
  const buckets = Object.keys(limits)
  // Attempts that count for the same are counted one after another; all take their locks in one order.
  await sql`select pg_advisory_xact_lock(key) from (
    select hashtextextended('login ' || bucket, 0) as key from unnest(${buckets}::text[]) bucket order by key) keys`.execute(
    trx,
  )
  await trx
    .insertInto('login_attempts')
    .values(buckets.map((bucket) => ({ bucket, attempt: id })))
    .execute()
  const counts = await trx
    .selectFrom('login_attempts')
    .select([
      'bucket',
      sql<number>`count(*) filter (where attempted_at > now() - make_interval(mins => ${windowMinutes}))`.as(
        'recent',
      ),
      ({ fn }) => fn.countAll<number>().as('today'),
    ])
    .where('bucket', 'in', buckets)
    .where('attempted_at', '>', sql<Date>`now() - interval '1 day'`)
    .groupBy('bucket')
    .execute()
  if (counts.some(({ bucket, recent }) => recent > limits[bucket]!)) throw tooManyAttempts(windowMinutes * 60)
  return new Map(counts.map(({ bucket, ...count }) => [bucket, count]))
}

const hasFewFailures = (attempt: Attempt, counts: Map<string, Count>) =>
  counts.get(pairBucket(attempt))!.today <= fewToday.pair &&
  counts.get(sitePairBucket(attempt))!.today <= fewToday.sitePair

// Under IPv4 a site is its network: what is said last, and stricter, holds.
function limitsOf(attempt: Attempt): Record<string, number> {
  if (isKnown(attempt)) return { [deviceBucket(attempt)]: most.device }
  return {
    [accountBucket(attempt.account)]: Number.POSITIVE_INFINITY,
    [networkBucket(siteOf(attempt.address))]: most.site,
    [networkBucket(networkOf(attempt.address))]: most.network,
    [sitePairBucket(attempt)]: most.sitePair,
    [pairBucket(attempt)]: most.pair,
  }
}

const isKnown = ({ account, login = account, device }: Attempt) => isKnownFor(login, device)

/** Whether this account was logged in with that browser before. */
export const isKnownFor = (login: string, device: Device | undefined): boolean =>
  device?.accounts.includes(accountOf(login)) === true

export const forgetOldAttempts = (db: Db) =>
  db.deleteFrom('login_attempts').where('attempted_at', '<', sql<Date>`now() - interval '1 day'`).execute()

const networkBucket = (network: string) => `network ${network}`

/** Known or not: an account is its name, hashed. */
export const accountOf = (account: string) =>
  createHash('sha256').update(account.trim().toLowerCase()).digest('hex').slice(0, 32)

const accountBucket = (account: string) => `account ${accountOf(account)}`
const pairBucket = ({ account, address }: Attempt) => `pair ${accountOf(account)} ${networkOf(address)}`
const sitePairBucket = ({ account, address }: Attempt) => `pair ${accountOf(account)} ${siteOf(address)}`
const deviceBucket = ({ account, device }: Attempt) => `device ${accountOf(account)} ${device!.id}`

const tooManyAttempts = (seconds: number) =>
  new Problem(
    'too-many-attempts',
    `Too many attempts. Wait ${Math.ceil(seconds / 60)} min and try again, or log in where you did before.`,
    { headers: { 'retry-after': String(seconds) } },
  )
