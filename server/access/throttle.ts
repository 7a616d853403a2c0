import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Problem } from '../problems.ts'

const windowMinutes = 15
const mostPerAccount = 10
const mostPerNetwork = 100

/**
 * Counts the attempt before the password is looked at, so that attempts sent at once count too. The counts are
 * in the database: every node sees them.
 */
export async function noteAttempt(db: Db, email: string, address: string): Promise<void> {
  const account = accountBucket(email)
  const network = networkBucket(address)
  await db
    .insertInto('login_attempts')
    .values([{ bucket: account }, { bucket: network }])
    .execute()
  const counts = await db
    .selectFrom('login_attempts')
    .select(['bucket', ({ fn }) => fn.countAll<number>().as('attempts')])
    .where('bucket', 'in', [account, network])
    .where('attempted_at', '>', sql<Date>`now() - make_interval(mins => ${windowMinutes})`)
    .groupBy('bucket')
    .execute()
  const over = counts.some(
    ({ bucket, attempts }) => attempts > (bucket === account ? mostPerAccount : mostPerNetwork),
  )
  if (over) throw tooManyAttempts()
}

/** Who got in takes back what was counted against them, so that a busy office does not lock itself out. */
export async function forgetAttempts(db: Db, email: string, address: string): Promise<void> {
  await db.deleteFrom('login_attempts').where('bucket', '=', accountBucket(email)).execute()
  await sql`delete from login_attempts where ctid = (
    select ctid from login_attempts where bucket = ${networkBucket(address)} order by attempted_at desc limit 1)`.execute(
    db,
  )
}

export const forgetOldAttempts = (db: Db) =>
  db
    .deleteFrom('login_attempts')
    .where('attempted_at', '<', sql<Date>`now() - make_interval(mins => ${windowMinutes})`)
    .execute()

const networkBucket = (address: string) => `network ${networkOf(address)}`

const accountBucket = (email: string) =>
  `account ${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`

/** An IPv6 network hands out whole /64s, so one caller may have all of it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head.split(':').filter(Boolean)
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const filled = [...groups, ...Array(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after]
  return `${filled
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const tooManyAttempts = () =>
  new Problem(
    'too-many-attempts',
    `Too many attempts to log in. Wait ${windowMinutes} minutes and try again.`,
    {
      headers: { 'retry-after': String(windowMinutes * 60) },
    },
  )
