import { setTimeout as pause } from 'node:timers/promises'
import { keptName } from '../../contract/file-names.ts'
import type { MediaType } from '../../contract/media-types.ts'
import { isMediaType } from '../../contract/media-types.ts'
import { mimeTypeOf } from '../assets/filenames.ts'
import type { Library } from '../library.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '../outbound/outbound.ts'
import { Problem } from '../problems.ts'
import { hashToken } from '../secrets.ts'
import type { AssetWords } from './become-asset.ts'
import { claimSession } from './claims.ts'
import { type Finalized, finalizeSession, giveUp } from './finalize.ts'
import { finalPrefix, stagingKey } from './session.ts'
import { openSession } from './sessions.ts'

const longestSeconds = 15 * 60
const mostAtOnce = 2

export interface FromUrl extends AssetWords {
  url: string
  /** Else what the address ends with. */
  originalFilename?: string
  replacesAssetId?: string
}

export interface Fetching {
  uploadSessionId: string
  /** Never fails unheard: it is also what the session says in the end. */
  done: Promise<Finalized>
}

/**
 * Has the library fetch a file itself, by the guarded way out and within the limits of any upload. The session is open
 * when this answers; should this process end before the file is there, it expires by itself.
 */
export async function uploadFromUrl(library: Library, outbound: Outbound, input: FromUrl): Promise<Fetching> {
  const { url, originalFilename, replacesAssetId, ...words } = input
  const left = takePlace(library)
  try {
    const signal = AbortSignal.timeout(longestSeconds * 1000)
    const answer = await asked(outbound, url, signal)
    const name = keptName(originalFilename ?? nameIn(url))
    const session = await openSession(
      library,
      {
        originalFilename: name,
        mimeType: typeOf(answer, name),
        expectedSizeBytes: sizeOf(answer),
        folderId: words.folderId ?? null,
        ...(replacesAssetId !== undefined && { replacesAssetId }),
      },
      { until: new Date(Date.now() + (longestSeconds + 60) * 1000) },
    ).catch((error) => {
      answer.file!.destroy()
      throw error
    })
    const done = bring(library, session, answer, words).finally(left)
    done.catch(() => {})
    return { uploadSessionId: session.uploadSessionId, done }
  } catch (error) {
    left()
    throw error
  }
}

/** The asset, if it is there soon. */
export const ifSoon = ({ done }: Fetching, seconds: number): Promise<Finalized | undefined> =>
  Promise.race([done, pause(seconds * 1000, undefined, { ref: false })])

interface Opened {
  uploadSessionId: string
  uploadToken: string
}

async function bring(
  library: Library,
  { uploadSessionId, uploadToken }: Opened,
  answer: OutboundAnswer,
  words: AssetWords,
): Promise<Finalized> {
  try {
    await library.storage
      .put(stagingKey({ id: uploadSessionId }), answer.file!, { sizeBytes: sizeOf(answer) })
      .catch((error) => {
        throw answer.file!.errored ? brokenOff(error) : error
      })
    return await finalizeSession(library, { uploadToken, ...words })
  } catch (error) {
    const claimed = await claimSession(library, hashToken(uploadToken))
    if (claimed)
      await giveUp(
        library,
        claimed.session,
        claimed.claim,
        `${finalPrefix(claimed.session)}${claimed.claim}`,
        error,
      )
    throw error
  }
}

async function asked(outbound: Outbound, url: string, signal: AbortSignal): Promise<OutboundAnswer> {
  const answer = await outbound
    .send({ method: 'GET', url, headers: { accept: 'image/*, video/*' }, wants: 'file', signal })
    .catch((error) => {
      throw error instanceof OutboundFailure ? sourceFailed(error.message, error) : error
    })
  if (answer.status === 200) return answer
  answer.file?.destroy()
  const { host } = new URL(url)
  throw sourceFailed(
    answer.status >= 300 && answer.status < 400
      ? `${host} leads on to another address. Give the one where the file itself is.`
      : `${host} answers with status ${answer.status} instead of the file. Check the address.`,
  )
}

function sizeOf({ headers, file }: OutboundAnswer): number {
  const sizeBytes = Number(headers['content-length'])
  if (Number.isSafeInteger(sizeBytes) && sizeBytes > 0 && !headers['content-encoding']) return sizeBytes
  file?.destroy()
  throw sourceFailed(
    'That address does not say how long the file is, so it cannot be fetched. Fetch it yourself and upload it.',
  )
}

/** The name counts where the server has no better word for the bytes; these are looked at in any case. */
function typeOf({ headers }: OutboundAnswer, name: string): string {
  const said = (headers['content-type'] ?? '').replace(/;.*/, '').trim().toLowerCase()
  return isMediaType(said)
    ? said
    : ((mimeTypeOf(name) as MediaType | undefined) ?? (said || 'application/octet-stream'))
}

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1)!
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

const held = new Map<string, number>()

/** Each holds a line, and the place in the store, for as long as its peer likes. Counted in this process. */
function takePlace({ clientId }: Library): () => void {
  const before = held.get(clientId) ?? 0
  if (before >= mostAtOnce)
    throw new Problem(
      'rate-limited',
      `${mostAtOnce} files of this client are being fetched. Try again soon.`,
      {
        headers: { 'retry-after': '10' },
      },
    )
  held.set(clientId, before + 1)
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    const others = held.get(clientId)! - 1
    if (others > 0) held.set(clientId, others)
    else held.delete(clientId)
  }
}

const brokenOff = (cause: unknown) =>
  sourceFailed('The file broke off before it was all there. Try again.', cause)

const sourceFailed = (detail: string, cause?: unknown) => new Problem('source-failed', detail, { cause })
