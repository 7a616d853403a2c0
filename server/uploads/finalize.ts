import { setTimeout as pause } from 'node:timers/promises'
import type { Finalize, FinalizedAsset } from '../../contract/uploads.ts'
import { mimeTypes } from '../../contract/words.ts'
import { assetRow, toAsset } from '../assets/asset.ts'
import { change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { becomeAsset, duplicateOf } from './become-asset.ts'
import { claimSession, releaseClaim, renewClaim } from './claims.ts'
import { refuseTooLarge } from './limits.ts'
import { finalPrefix, partKey, refuseEnded, type SessionRow, sessionByToken, stagingKey } from './session.ts'
import { partCount, uploadedParts } from './sessions.ts'
import { clearStaging, removeBelow } from './sweep.ts'
import { verify } from './verify.ts'

export interface Finalized {
  asset: FinalizedAsset
  made: boolean
}

/** Turns what was uploaded into an asset, once, however often and from wherever it is asked. */
export async function finalizeSession(library: Library, input: Finalize): Promise<Finalized> {
  for (let waited = 0; waited < longestWait; waited += await pauseFor(waited)) {
    const session = await sessionByToken(library, input.uploadToken)
    if (session.status === 'finalized') return { asset: await finalizedAsset(library, session), made: false }
    refuseEnded(session)
    const claim = await claimSession(library, session)
    if (claim) {
      const asset = await finalizeClaimed(library, session, claim, input)
      if (asset) return { asset, made: true }
    }
  }
  throw new Problem(
    'finalize-in-progress',
    'Another request is finalizing this upload. Ask again in a moment.',
    {
      headers: { 'retry-after': '2' },
    },
  )
}

const longestWait = 30_000

// Whoever holds the claim is mostly done in a few milliseconds; a large file may take longer.
async function pauseFor(waited: number): Promise<number> {
  const milliseconds = Math.min(500, 15 + waited / 4)
  await pause(milliseconds)
  return milliseconds
}

async function finalizeClaimed(
  library: Library,
  session: SessionRow,
  claim: string,
  input: Finalize,
): Promise<FinalizedAsset | undefined> {
  const place = `${finalPrefix(session)}${claim}`
  const renewal = renewClaim(library, session, claim)
  try {
    refuseUnsupported(session)
    await takeOutOfReach(library, session, `${place}/original`)
    const verified = await verify(library, `${place}/original`, session)
    refuseTooLarge(library, verified.mimeType, verified.sizeBytes)
    const asset = await change(library, (its) =>
      becomeAsset(its, library, session, { claim, place, verified, input }),
    )
    if (asset)
      await clearStaging(library, session).catch(() => {}) // the sweep will
    else await removeBelow(library, `${place}/`)
    return asset
  } catch (error) {
    await giveUp(library, session, claim, place, error)
    throw error
  } finally {
    renewal.stop()
  }
}

function refuseUnsupported(session: SessionRow): void {
  if (!(mimeTypes as readonly string[]).includes(session.mime_type))
    throw new Problem(
      'unsupported-type',
      `${JSON.stringify(session.mime_type)} is not supported. Send one of ${mimeTypes.join(', ')}.`,
    )
}

/** Copies before anything is checked: from here on no presigned URL can change what we look at. */
async function takeOutOfReach(library: Library, session: SessionRow, key: string): Promise<void> {
  const count = partCount(session)
  const parts = count > 0 ? await uploadedParts(library, session) : []
  if (count > 0 && parts.length === count) {
    await library.storage.join(
      parts.map((partNumber) => partKey(session, partNumber)),
      key,
    )
    return
  }
  try {
    await library.storage.copy(stagingKey(session), key)
  } catch (error) {
    if (error instanceof Problem && error.code === 'object-missing')
      throw fileNotUploaded(count, parts.length)
    throw error
  }
}

const finalVerdicts: string[] = [
  'unsupported-type',
  'type-mismatch',
  'size-mismatch',
  'checksum-mismatch',
  'unreadable-media',
  'too-large',
]

/** A verdict on the bytes ends the session and is kept; anything else lets the caller try again. */
async function giveUp(
  library: Library,
  session: SessionRow,
  claim: string,
  place: string,
  error: unknown,
): Promise<void> {
  const verdict = error instanceof Problem && finalVerdicts.includes(error.code) ? error : undefined
  if (!verdict) {
    await releaseClaim(library, session, claim).catch(() => {})
    await removeBelow(library, `${place}/`).catch(() => {})
    return
  }
  await change(library, async (its) => {
    const rejected = await its.trx
      .updateTable('upload_sessions')
      .set({
        status: 'rejected',
        problem: JSON.stringify({ code: verdict.code, detail: verdict.message }),
        claim: null,
        claimed_until: null,
        sweep_at: new Date(),
      })
      .where('client_id', '=', library.clientId)
      .where('id', '=', session.id)
      .where('claim', '=', claim)
      .where('status', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (!rejected) return
    its.tell('upload.rejected', session.id, {
      code: verdict.code,
      originalFilename: session.original_filename,
    })
    its.count({ reserved: -session.expected_size_bytes })
  })
  await removeBelow(library, `${place}/`).catch(() => {})
  await clearStaging(library, session).catch(() => {})
}

async function finalizedAsset(library: Library, session: SessionRow): Promise<FinalizedAsset> {
  const row = await assetRow(library.db, library, session.asset_id)
  return { ...toAsset(row), duplicateOf: await duplicateOf(library.db, row) }
}

const fileNotUploaded = (count: number, there: number) =>
  new Problem(
    'file-not-uploaded',
    count > 0 && there > 0
      ? `${there} of ${count} parts have arrived. Send the rest, then finalize again.`
      : 'The file has not arrived. PUT it to the uploadUrl, then finalize again.',
  )
