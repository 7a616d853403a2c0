import type { MediaType, UploadVerdict } from '../../contract/media-types.ts'
import { type Change, change, type Library } from '../library.ts'
import { isUnavailable, noScanner } from '../malware/scanner.ts'
import { hashToken } from '../secrets.ts'
import { asSource } from '../storage/as-source.ts'
import { claimSession, claims, releaseClaim, renewClaim } from './claims.ts'
import { finalizeInProgress, giveUp, refuseUnsupported, takeOutOfReach } from './finalize.ts'
import { refuseTooLarge } from './limits.ts'
import { refuseEnded, type SessionRow, sessionByToken, waitingPlace } from './session.ts'
import { type Verified, verify } from './verify.ts'

export interface Received extends Verified {
  hasPreview: boolean
  /** Whether a scanner has looked through it. */
  scanned: boolean
}

/** What belongs to the change with which it begins to wait, or is refused. */
interface Noting {
  received(its: Change, session: SessionRow, received: Received): Promise<void>
  refused(its: Change, session: SessionRow, code: UploadVerdict): Promise<void>
}

/**
 * Takes what a guest has put to where their URLs do not reach, looks at it there, and lets it wait for so many days.
 * What waits is an upload like any other that nobody has finalized.
 */
export async function receiveUpload(
  library: Library,
  uploadToken: string,
  days: number,
  noting: Noting,
): Promise<void> {
  const claimed = await claimSession(library, hashToken(uploadToken))
  if (!claimed) {
    const session = await sessionByToken(library, uploadToken)
    if (session.received_as !== null) return // asked twice, received once, whatever became of it
    refuseEnded(session)
    throw finalizeInProgress()
  }
  const { session, claim } = claimed
  if (session.received_as !== null) return void (await releaseClaim(library, session, claim))

  const place = waitingPlace(session, claim)
  using _renewal = renewClaim(library, session, claim)
  try {
    refuseUnsupported(session)
    const staged = await takeOutOfReach(library, session, `${place}/original`)
    const received = await lookAt(library, place, session)
    refuseTooLarge(library, received.mimeType, received.sizeBytes)
    await change(library, async (its) => {
      // First of all what it came for is locked, as when that is revoked: two orders would be a deadlock.
      await noting.received(its, session, received)
      const until = new Date(Date.now() + days * 86_400_000)
      const waits = await its.trx
        .updateTable('upload_sessions')
        .set({ received_as: claim, expires_at: until, sweep_at: until, ...claims.givenBack })
        .where('client_id', '=', library.clientId)
        .where('id', '=', session.id)
        .where(claims.isHeldBy(claim))
        .where('status', '=', 'open')
        .returning('id')
        .executeTakeFirst()
      if (!waits) throw finalizeInProgress()
    })
    await library.storage.delete(staged).catch(() => {}) // the sweep will, when it has been decided on
  } catch (error) {
    await giveUp(library, session, claim, place, error, (its, code) => noting.refused(its, session, code))
    // Taken back meanwhile: its bytes went from under us, and what we made of that is no verdict.
    const now = await sessionByToken(library, uploadToken)
    if (now.status !== 'rejected') refuseEnded(now)
    throw error
  }
}

async function lookAt(library: Library, place: string, session: SessionRow): Promise<Received> {
  const key = `${place}/original`
  const { verified, scanned } = await verifyAnyway(library, key, session)
  return { ...verified, scanned, hasPreview: await drawPreview(library, place, verified) }
}

/** While the scanner is away a guest's file waits without a verdict; it is asked for again before it is accepted. */
async function verifyAnyway(library: Library, key: string, session: SessionRow) {
  try {
    return { verified: await verify(library, key, session), scanned: library.malware.isOn }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { verified: await verify({ ...library, malware: noScanner }, key, session), scanned: false }
  }
}

export const waitingPreviewKey = (session: { id: string }, receivedAs: string) =>
  `${waitingPlace(session, receivedAs)}/preview.webp`

/** For whoever decides. It lies beside the file, and goes with it. */
async function drawPreview(library: Library, place: string, verified: Verified): Promise<boolean> {
  const source = asSource(library, `${place}/original`, verified.sizeBytes)
  try {
    const wanted = { size: 'large', format: 'webp' } as const
    const { pictures } = await library.media.previews(source, verified.mimeType as MediaType, [wanted])
    const { bytes } = pictures[0]!
    await library.storage.put(`${place}/preview.webp`, bytes, { sizeBytes: bytes.length })
    return true
  } catch {
    return false // it can be decided on without
  } finally {
    source.release()
  }
}
