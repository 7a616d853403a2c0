import type { NewGuestFile } from '../../contract/upload-requests.ts'
import type { UploadSession } from '../../contract/uploads.ts'
import { isProblem, Problem } from '../api.ts'
import { newKey } from '../new-key.ts'
import { bytesOfParts, partNumbers, partRange } from '../uploads/parts.ts'
import { deliver, StoreRefusal } from '../uploads/put.ts'
import { ConnectionLost, pause, withRetries } from '../uploads/retry.ts'
import { trueType } from '../uploads/true-type.ts'
import { cancelFile, openFile, readProgress, sayDone, signPart } from './request-api.ts'

/** Who sends it, and what they say. */
export type From = Pick<NewGuestFile, 'sender' | 'note'>

/** What one file is sent by. */
export type Begun = Pick<UploadSession, 'uploadSessionId' | 'uploadToken'>

interface Watching {
  signal: AbortSignal
  onBegun(begun: Begun): void
  onProgress(sentBytes: number): void
  /** Nothing comes through for now, or again. */
  onLine(isThere: boolean): void
}

/** What is not taken, said before any byte moves. */
export class NotTaken extends Error {
  readonly why: 'empty' | 'unsupported-type'

  constructor(why: NotTaken['why']) {
    super(why)
    this.why = why
  }
}

const lookAgainMilliseconds = 3000
const mostRounds = 5

/**
 * Sends one file into the waiting room. A broken line only makes it wait: what has arrived, now or on an earlier visit,
 * is not sent again.
 */
export async function sendFile(file: File, from: From, begun: Begun | null, watching: Watching) {
  if (begun)
    try {
      return await sendAll(file, begun, watching)
    } catch (error) {
      if (!isProblem(error, 'upload-expired') && !isProblem(error, 'upload-not-found')) throw error // else anew
    }
  return sendAll(file, await open(file, from, watching), watching)
}

async function open(file: File, from: From, watching: Watching): Promise<Begun> {
  if (file.size === 0) throw new NotTaken('empty')
  const mimeType = await trueType(file)
  if (typeof mimeType !== 'string') throw new NotTaken('unsupported-type')
  const wish = { originalFilename: file.name, mimeType, expectedSizeBytes: file.size, ...from }
  const key = newKey()
  const begun = await whenBack(watching, () => withRetries(watching.signal, () => openFile(wish, key)))
  watching.onBegun(begun)
  return begun
}

async function sendAll(file: File, { uploadToken }: Begun, watching: Watching): Promise<void> {
  const { signal } = watching
  try {
    await whenBack(watching, () => sendRest(file, uploadToken, watching))
    await whenBack(watching, () => withRetries(signal, () => sayDone(uploadToken)))
  } catch (error) {
    if (signal.aborted) cancelFile(uploadToken).catch(() => {}) // it ends by itself too
    throw error
  }
}

async function whenBack<T>({ signal, onLine }: Watching, work: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++)
    try {
      const done = await work()
      onLine(true)
      return done
    } catch (error) {
      const isLost = error instanceof ConnectionLost
      const isSilent = error instanceof StoreRefusal && error.status === 0 && round < mostRounds
      if (!isLost && !isSilent) throw error
      onLine(false)
      await pause(lookAgainMilliseconds, signal)
    }
}

/** From wherever an earlier try has left off. */
async function sendRest(file: File, uploadToken: string, { signal, onProgress, onLine }: Watching) {
  const progress = await withRetries(signal, () => readProgress(uploadToken))
  onLine(true)
  if (progress.status === 'uploaded' || progress.status === 'waiting') return
  if (progress.status !== 'awaiting-upload') throw new Problem({ code: 'upload-expired' })
  if (!progress.multipart) {
    const again = async () => (await withRetries(signal, () => readProgress(uploadToken))).uploadUrl!
    const addressOf = async (refusal?: StoreRefusal) => (refusal ? again() : progress.uploadUrl!)
    return deliver(file, { signal, onProgress, addressOf })
  }
  const { partSizeBytes, uploadedPartNumbers } = progress.multipart
  const parted = { sizeBytes: file.size, partSizeBytes }
  let arrived = bytesOfParts(parted, uploadedPartNumbers)
  for (const partNumber of partNumbers(parted).filter((number) => !uploadedPartNumbers.includes(number))) {
    const bytes = file.slice(...partRange(parted, partNumber))
    await deliver(bytes, {
      signal,
      onProgress: (sent) => onProgress(arrived + sent),
      addressOf: () => withRetries(signal, () => signPart(uploadToken, partNumber)),
    })
    arrived += bytes.size
  }
}
