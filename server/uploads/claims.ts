import { sql } from 'kysely'
import { askPrepared } from '../db/prepared.ts'
import { leaseOn, newOwner } from '../jobs/lease.ts'
import type { Library } from '../library.ts'
import { ownUploads, type SessionRow, sessionColumns } from './session.ts'

export const claims = leaseOn('upload_sessions', { owner: 'claim', until: 'claimed_until', seconds: 15 })

/**
 * Makes this request the one that finalizes the session, if it is open and nobody else is. The claim is checked again
 * when the asset is made, so a holder that was only slow cannot make a second one.
 */
export async function claimSession(
  library: Library,
  tokenHash: string,
): Promise<{ session: SessionRow; claim: string } | undefined> {
  const claim = newOwner()
  const [session] = await askPrepared(
    library.db,
    library.db
      .updateTable('upload_sessions')
      .set(claims.takenBy(claim))
      .where('token_hash', '=', tokenHash)
      .where(ownUploads(library))
      .where('status', '=', 'open')
      .where('expires_at', '>', sql<Date>`now()`)
      .where(claims.isFree)
      .returning(sessionColumns),
  )
  return session && { session, claim }
}

export const renewClaim = (library: Library, session: SessionRow, claim: string) =>
  claims.keepRenewed(() => claimed(library, session, claim).set(claims.takenBy(claim)).execute())

export const releaseClaim = (library: Library, session: SessionRow, claim: string) =>
  claimed(library, session, claim).set(claims.givenBack).execute()

const claimed = (library: Library, session: SessionRow, claim: string) =>
  library.db
    .updateTable('upload_sessions')
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.id)
    .where(claims.isHeldBy(claim))
