import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import { hashToken } from '../secrets.ts'
import { type SessionRow, sessionColumns } from './session.ts'

const leaseSeconds = 15

/**
 * Makes this request the one that finalizes the session, if it is open and nobody else is. A claim runs out soon
 * after its holder dies, and is checked again when the asset is made, so a holder that was only slow cannot make
 * a second one.
 */
export async function claimSession(
  library: Library,
  uploadToken: string,
): Promise<{ session: SessionRow; claim: string } | undefined> {
  const claim = randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')
  const [session] = await askPrepared(
    library.db,
    sql<SessionRow>`
    update upload_sessions set claim = ${claim}, claimed_until = ${leaseEnd}
    where token_hash = ${hashToken(uploadToken)} and client_id = ${library.clientId} and status = 'open'
      and expires_at > now() and (claimed_until is null or claimed_until < now())
    returning ${sql.raw(sessionColumns.join(', '))}`,
  )
  return session && { session, claim }
}

export function renewClaim(library: Library, session: SessionRow, claim: string): { stop(): void } {
  const timer = setInterval(
    () => {
      library.db
        .updateTable('upload_sessions')
        .set({ claimed_until: leaseEnd })
        .where('client_id', '=', library.clientId)
        .where('id', '=', session.id)
        .where('claim', '=', claim)
        .execute()
        .catch(() => {}) // the lease runs out, and the commit will notice
    },
    (leaseSeconds * 1000) / 3,
  )
  return { stop: () => clearInterval(timer) }
}

export const releaseClaim = (library: Library, session: SessionRow, claim: string) =>
  library.db
    .updateTable('upload_sessions')
    .set({ claim: null, claimed_until: null })
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.id)
    .where('claim', '=', claim)
    .execute()

const leaseEnd = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`
