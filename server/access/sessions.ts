import { sql } from 'kysely'
import type { Session } from '../../contract/access.ts'
import type { Origin } from '../changes/audit-trail.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import { knownId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'

const sessionDays = 14

export interface NewSession {
  token: string
  expiresAt: Date
}

/** How somebody came in, and whether a second factor, or what is as good as one, was shown. */
export interface Way {
  method: string
  isStrong: boolean
}

export async function openSession(
  trx: Trx,
  userId: string,
  origin: Origin,
  { method, isStrong }: Way,
): Promise<NewSession> {
  const token = newToken()
  const expiresAt = new Date(Date.now() + sessionDays * 86_400_000)
  await trx
    .insertInto('login_sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      method,
      is_strong: isStrong,
      address: origin.address,
      user_agent: origin.userAgent,
      expires_at: expiresAt,
    })
    .execute()
  return { token, expiresAt }
}

export async function listSessions(db: Db, { id }: Caller, currentId: string): Promise<Session[]> {
  const rows = await db
    .selectFrom('login_sessions')
    .select(['id', 'method', 'address', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(mostShown)
    .execute()
  return rows.map((row) => ({
    sessionId: row.id,
    isCurrent: row.id === currentId,
    method: row.method,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
  }))
}

// All of them can be ended at once, whether they are shown or not.
const mostShown = 100

export const endSession = (db: Db, caller: Caller, sessionId: string): Promise<void> =>
  changePlatform(db, caller, async ({ trx, note }) => {
    const ended = await trx
      .deleteFrom('login_sessions')
      .where('user_id', '=', caller.id)
      .where('id', '=', knownId('session', sessionId))
      .returning('id')
      .executeTakeFirst()
    if (!ended) throw notFound('No session')
    await rightsChanged(trx)
    note({ action: 'login.ended', thing: caller.id, name: caller.name, details: { sessions: 1 } })
  })

/** All but the one that asks. */
export const endOtherSessions = (db: Db, caller: Caller, currentId: string): Promise<number> =>
  changePlatform(db, caller, async ({ trx, note }) => {
    const ended = await deleteOthers(trx, caller.id, currentId)
    await rightsChanged(trx)
    note({ action: 'login.ended', thing: caller.id, name: caller.name, details: { sessions: ended } })
    return ended
  })

export async function deleteOthers(trx: Trx, userId: string, currentId: string): Promise<number> {
  const ended = await trx
    .deleteFrom('login_sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', currentId)
    .returning('id')
    .execute()
  return ended.length
}

export const forgetEndedSessions = (db: Db) =>
  db.deleteFrom('login_sessions').where('expires_at', '<', sql<Date>`now()`).execute()
