import { type Access, call, withoutTimeout } from './call.ts'
import {
  type Finalize,
  type FinalizedAsset,
  isUploadVerdict,
  type NewUploadSession,
  type PartUrls,
  typeOfEnding,
  type UploadProgress,
  type UploadSession,
} from './contract.ts'
import { LibraryProblem } from './problem.ts'

export type UploadOptions = Omit<NewUploadSession, 'expectedSizeBytes' | 'folderId' | 'mimeType'> &
  Omit<Finalize, 'uploadToken'> & {
    /** By the ending of the file name, unless it is said. */
    mimeType?: string | undefined
    /** Takes up an upload of the same file that broke off: only what is missing is sent. */
    resume?: UploadResume | undefined
    /** Called before a byte is sent, with what another process needs to take the upload up. */
    onOpened?: ((resume: UploadResume) => void) | undefined
    /** Called as bytes arrive: after each part, or once for a file sent whole. */
    onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined
    signal?: AbortSignal | undefined
  }

/** What takes an upload up again, here or in another process: plain JSON, and a secret while the upload is open. */
export interface UploadResume {
  uploadSessionId: string
  uploadToken: string
  expiresAt: string
}

const partsAtOnce = 3

/**
 * Session, PUT, finalize. In Node `await openAsBlob(path)` of `node:fs` gives a file that is read as it is sent,
 * however large it is.
 */
export async function upload(
  access: Access,
  assets: string,
  file: Blob,
  options: UploadOptions,
): Promise<FinalizedAsset> {
  const { resume, onOpened, onProgress, signal, ...said } = options
  const { originalFilename, mimeType, sha256, replacesAssetId, ...words } = said
  const post = async <T>(path: string, body: object): Promise<T> =>
    (await call(access, 'POST', `${assets}/upload-session${path}`, { body, signal })).json()

  async function open(): Promise<UploadSession> {
    const announced: NewUploadSession = {
      originalFilename,
      mimeType: mimeType ?? typeOfEnding(originalFilename.split('.').at(-1)!) ?? 'application/octet-stream',
      expectedSizeBytes: file.size,
      ...(sha256 && { sha256 }),
      ...(replacesAssetId && { replacesAssetId }),
      ...(words.folderId && { folderId: words.folderId }),
    }
    return post('', announced)
  }

  async function progress(): Promise<UploadProgress> {
    const path = `${assets}/upload-session/${uploadSessionId}`
    const found: UploadProgress = await (await call(access, 'GET', path, { signal })).json()
    if (found.expectedSizeBytes !== file.size)
      throw new Error(
        `The upload to resume is of ${found.expectedSizeBytes} bytes, this file has ${file.size}.`,
      )
    return found
  }

  async function send({ uploadUrl, multipart }: UploadSession | UploadProgress): Promise<void> {
    let sentBytes = 0
    const sent = (bytes: Blob) => {
      sentBytes += bytes.size
      onProgress?.(sentBytes, file.size)
    }
    if (multipart) {
      const { partSizeBytes } = multipart
      const there = 'uploadedPartNumbers' in multipart ? multipart.uploadedPartNumbers : []
      await eachOf(Math.ceil(file.size / partSizeBytes), async (partNumber) => {
        const bytes = file.slice((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes)
        if (!there.includes(partNumber))
          await put(bytes, signal, async () => {
            const { parts } = await post<PartUrls>('/parts', { uploadToken, partNumbers: [partNumber] })
            return parts[0]!.uploadUrl
          })
        sent(bytes)
      })
    } else {
      let attempts = 0
      await put(file, signal, async () => (attempts++ === 0 ? uploadUrl : (await progress()).uploadUrl))
      sent(file)
    }
  }

  const session = resume ?? (await open())
  const { uploadSessionId, uploadToken, expiresAt } = session
  const kept = { uploadSessionId, uploadToken, expiresAt }
  onOpened?.(kept)
  try {
    const state = 'status' in session ? (session as UploadSession) : await progress()
    if (state.status === 'awaiting-upload') await send(state)
    return await post<FinalizedAsset>('/finalize', { uploadToken, ...words })
  } catch (error) {
    if (isObject(error) && !isOver(error)) resumes.set(error, kept)
    throw error
  }
}

const resumes = new WeakMap<object, UploadResume>()

/** What takes up the upload that ended in this error; undefined when it is over, and the file would be refused again. */
export const resumeOf = (error: unknown): UploadResume | undefined =>
  isObject(error) ? resumes.get(error) : undefined

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isOver = (error: object) =>
  error instanceof LibraryProblem &&
  (isUploadVerdict(error.code) || error.code === 'upload-expired' || error.code === 'upload-not-found')

/** The address alone authorises the PUT; a header too many would spoil its signature. Without one, all is there. */
const put = (bytes: Blob, signal: AbortSignal | undefined, addressOf: () => Promise<string | null>) =>
  withoutTimeout(signal, async () => {
    const address = await addressOf()
    if (!address) return
    const response = await fetch(address, {
      method: 'PUT',
      body: bytes.slice(0, bytes.size, ''),
      signal: signal ?? null,
    })
    if (!response.ok) throw storeRefuses(response.status, await response.text())
  })

// A refused address has mostly run out: the next attempt asks for another.
const storeRefuses = (status: number, answer: string) =>
  new LibraryProblem({
    code: 'storage-unavailable',
    status: status === 403 ? 503 : status,
    detail: `The store answered ${status}: ${answer.slice(0, 300)}`,
  })

/** Some at a time, numbered from one. */
async function eachOf(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 1
  const worker = async () => {
    while (next <= count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(partsAtOnce, count) }, worker))
}
