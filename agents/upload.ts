import type {
  Finalize,
  FinalizedAsset,
  NewUploadSession,
  PartUrls,
  UploadProgress,
  UploadSession,
} from '../contract/uploads.ts'
import { type Access, call, withoutTimeout } from './call.ts'
import { LibraryProblem } from './problem.ts'

export type UploadOptions = Omit<NewUploadSession, 'expectedSizeBytes' | 'folderId'> &
  Omit<Finalize, 'uploadToken'> & {
    /** Called as bytes arrive: after each part, or once for a file sent whole. */
    onProgress?: (sentBytes: number, totalBytes: number) => void
    signal?: AbortSignal
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
  { originalFilename, mimeType, sha256, replacesAssetId, onProgress, signal, ...words }: UploadOptions,
): Promise<FinalizedAsset> {
  const announced: NewUploadSession = {
    originalFilename,
    mimeType,
    expectedSizeBytes: file.size,
    ...(sha256 && { sha256 }),
    ...(replacesAssetId && { replacesAssetId }),
    ...(words.folderId && { folderId: words.folderId }),
  }
  const post = async <T>(path: string, body: object): Promise<T> =>
    (await call(access, 'POST', `${assets}/upload-session${path}`, { body, signal })).json()

  const session = await post<UploadSession>('', announced)
  const { uploadToken, uploadSessionId, multipart } = session
  let sentBytes = 0
  const sent = (bytes: Blob) => {
    sentBytes += bytes.size
    onProgress?.(sentBytes, file.size)
  }

  if (multipart) {
    const { partSizeBytes } = multipart
    const count = Math.ceil(file.size / partSizeBytes)
    await eachOf(count, async (partNumber) => {
      const bytes = file.slice((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes)
      await put(bytes, signal, async () => {
        const { parts } = await post<PartUrls>('/parts', { uploadToken, partNumbers: [partNumber] })
        return parts[0]!.uploadUrl
      })
      sent(bytes)
    })
  } else {
    let attempts = 0
    await put(file, signal, async () =>
      attempts++ === 0
        ? session.uploadUrl
        : freshAddress(access, `${assets}/upload-session/${uploadSessionId}`, signal),
    )
    sent(file)
  }
  return post<FinalizedAsset>('/finalize', { uploadToken, ...words })
}

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

/** Null when the bytes have arrived after all, and only the answer was lost. */
async function freshAddress(
  access: Access,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const progress: UploadProgress = await (await call(access, 'GET', path, { signal })).json()
  return progress.uploadUrl
}

/** Some at a time, numbered from one. */
async function eachOf(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 1
  const worker = async () => {
    while (next <= count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(partsAtOnce, count) }, worker))
}
