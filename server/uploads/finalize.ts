import { setTimeout as pause } from 'node:timers/promises'
import {
  allMediaTypes,
  isMediaType,
  isUploadVerdict,
  type UploadVerdict,
} from '../../contract/media-types.ts'
import type { Finalize, FinalizedAsset } from '../../contract/uploads.ts'
import { assetETag, toAsset } from '../assets/asset.ts'
import { type Change, change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { hashToken } from '../secrets.ts'
import { type AssetWords, becomeAsset, type MadeAsset, madeAsset, type Past } from './become-asset.ts'
import { claimSession, claims, releaseClaim, renewClaim } from './claims.ts'
import { refuseTooLarge } from './limits.ts'
import {
  finalPrefix,
  partKey,
  refuseEnded,
  type SessionRow,
  sessionByHash,
  stagingKey,
  tellUpload,
  waitingPlace,
} from './session.ts'
import { partCount, uploadedParts } from './sessions.ts'
import { clearStaging, removeBelow } from './sweep.ts'
import { verify } from './verify.ts'

export interface Finalized {
  asset: FinalizedAsset
  etag: string
  made: boolean
}

/** Turns what was uploaded into an asset, once, however often and from wherever it is asked. */
export const finalizeSession = (library: Library, input: Finalize, past?: Past): Promise<Finalized> =>
  finalizeByHash(library, hashToken(input.uploadToken), input, past)

export async function finalizeByHash(
  library: Library,
  tokenHash: string,
  input: AssetWords,
  past?: Past,
): Promise<Finalized> {
  for (let waited = 0; waited < longestWait; waited += await pauseFor(waited)) {
    const claimed = await claimSession(library, tokenHash)
    if (claimed) {
      const row = await finalizeClaimed(library, claimed.session, claimed.claim, input, past)
      if (row) return { ...finalized(row), made: true }
    }
    const session = await sessionByHash(library, tokenHash)
    if (session.status === 'finalized')
      return { ...finalized(await madeAsset(library, session.asset_id)), made: false }
    refuseEnded(session)
  }
  throw finalizeInProgress()
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
  input: AssetWords,
  past: Past | undefined,
): Promise<MadeAsset | undefined> {
  const place = `${finalPrefix(session)}${claim}`
  using _renewal = renewClaim(library, session, claim)
  try {
    refuseUnsupported(session)
    const staged = await takeOutOfReach(library, session, `${place}/original`)
    const verified = await verify(library, `${place}/original`, session)
    refuseTooLarge(library, verified.mimeType, verified.sizeBytes)
    const row = await change(library, (its) =>
      becomeAsset(its, library, session, { claim, place, verified, input, past }),
    )
    if (!row) {
      await removeBelow(library, `${place}/`)
      return undefined
    }
    await library.storage.delete(staged).catch(() => {}) // the sweep will
    return row
  } catch (error) {
    await giveUp(library, session, claim, place, error)
    throw error
  }
}

export function refuseUnsupported(session: Pick<SessionRow, 'mime_type'>): void {
  if (!isMediaType(session.mime_type))
    throw new Problem(
      'unsupported-type',
      `${JSON.stringify(session.mime_type)} is not supported. Send one of ${allMediaTypes.join(', ')}.`,
    )
}

/**
 * Copies before anything is checked: from here on no presigned URL can change what we look at. Says which staged
 * objects it took.
 */
export async function takeOutOfReach(library: Library, session: SessionRow, key: string): Promise<string[]> {
  if (session.received_as !== null) {
    const waiting = `${waitingPlace(session, session.received_as)}/original`
    await library.storage.copy(waiting, key)
    return [waiting]
  }
  const count = partCount(session)
  const parts = count > 0 ? await uploadedParts(library, session) : []
  if (count > 0 && parts.length === count) {
    const keys = parts.map((partNumber) => partKey(session, partNumber))
    await library.storage.join(keys, key)
    return keys
  }
  try {
    await library.storage.copy(stagingKey(session), key)
    return [stagingKey(session)]
  } catch (error) {
    if (error instanceof Problem && error.code === 'object-missing')
      throw fileNotUploaded(count, parts.length)
    throw error
  }
}

/** A verdict on the bytes ends the session and is kept; anything else lets the caller try again. */
export async function giveUp(
  library: Library,
  session: SessionRow,
  claim: string,
  place: string,
  error: unknown,
  tell: (its: Change, code: UploadVerdict) => unknown = (its, code) =>
    tellUpload(its, session, 'upload.rejected', { code, originalFilename: session.original_filename }),
): Promise<void> {
  const verdict =
    error instanceof Problem && isUploadVerdict(error.code)
      ? { code: error.code, detail: error.message }
      : undefined
  if (!verdict) {
    await releaseClaim(library, session, claim).catch(() => {})
    const removal = removeBelow(library, `${place}/`).catch(() => {}) // the sweep will
    // A store that is away would only make the caller wait longer to hear of it.
    if (!(error instanceof Problem && error.code === 'storage-unavailable')) await removal
    return
  }
  await change(library, async (its) => {
    const rejected = await its.trx
      .updateTable('upload_sessions')
      .set({
        status: 'rejected',
        problem: JSON.stringify(verdict),
        ...claims.givenBack,
        sweep_at: new Date(),
      })
      .where('client_id', '=', library.clientId)
      .where('id', '=', session.id)
      .where(claims.isHeldBy(claim))
      .where('status', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (!rejected) return
    await tell(its, verdict.code)
    its.count({ reserved: -session.expected_size_bytes })
  })
  await removeBelow(library, `${place}/`).catch(() => {})
  await clearStaging(library, session).catch(() => {})
}

const finalized = (row: MadeAsset) => ({
  asset: { ...toAsset(row), duplicateOf: row.twin_id },
  etag: assetETag(row),
})

export const finalizeInProgress = () =>
  new Problem('finalize-in-progress', 'Another request is finalizing this upload. Ask again in a moment.', {
    headers: { 'retry-after': '2' },
  })

const fileNotUploaded = (count: number, there: number) =>
  new Problem(
    'file-not-uploaded',
    count > 0 && there > 0
      ? `${there} of ${count} parts arrived so far. Send the rest, then finalize again.`
      : 'The file has not arrived. PUT it to the uploadUrl, then finalize again.',
  )
