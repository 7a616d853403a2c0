import type { NewUploadSession, PartUrls, UploadProgress, UploadSession } from '../../contract/uploads.ts'
import { api, isProblem } from '../api.ts'
import { newKey } from '../new-key.ts'
import { UnreadableFile } from './failure.ts'
import type { FolderAt } from './folder-tree.ts'
import type { Limits } from './limits.ts'
import { bytesOfParts, partNumbers, partRange } from './parts.ts'
import { deliver, StoreRefusal } from './put.ts'
import { ConnectionLost, withRetries } from './retry.ts'
import { freeName } from './same-names.ts'
import { slots } from './slots.ts'
import type { Session, Upload } from './upload.ts'
import type { UploadStore } from './upload-store.ts'

const mostParts = 3
// All files together: a browser opens six connections to one host, and the page needs some for itself.
const mostPuts = 4

export type Sender = ReturnType<typeof sender>

/** Brings the bytes of a file to the store, from wherever an earlier try has left off. */
export function sender(
  base: string,
  uploads: UploadStore,
  folderAt: ReadonlyMap<string, FolderAt>,
  limits: Limits,
) {
  const puts = slots(mostPuts)

  async function send(id: string, signal: AbortSignal) {
    const missing = await openOrGoOn(id, signal)
    if (missing === 'nothing') return
    const upload = uploads.get(id)!
    try {
      if (missing === 'all') await sendWhole(upload, signal)
      else await sendParts(upload, missing, signal)
    } catch (error) {
      throw await explained(error, upload, signal)
    }
  }

  /** The parts still to be sent, or all of the file in one piece, or nothing any more. */
  async function openOrGoOn(id: string, signal: AbortSignal): Promise<number[] | 'all' | 'nothing'> {
    const { session, sizeBytes } = uploads.get(id)!
    const progress = session && (await withRetries(signal, () => progressOf(session.uploadSessionId)))
    if (!session || !progress) {
      uploads.forget(id)
      const { partSizeBytes } = await open(id, signal)
      return partSizeBytes ? partNumbers({ sizeBytes, partSizeBytes }) : 'all'
    }
    if (progress.status === 'uploaded') return 'nothing'
    uploads.set(id, { session: { ...session, uploadUrl: progress.uploadUrl } })
    if (!progress.multipart) return 'all'
    const { partSizeBytes, uploadedPartNumbers } = progress.multipart
    const arrivedBytes = bytesOfParts({ sizeBytes, partSizeBytes }, uploadedPartNumbers)
    uploads.set(id, { arrivedBytes, sentBytes: arrivedBytes })
    return partNumbers({ sizeBytes, partSizeBytes }).filter((part) => !uploadedPartNumbers.includes(part))
  }

  async function open(id: string, signal: AbortSignal): Promise<Session> {
    const upload = uploads.get(id)!
    const folderId = await withRetries(
      signal,
      () => folderAt.get(id)?.(upload.folderId, upload.path) ?? Promise.resolve(upload.folderId),
    )
    uploads.set(id, { folderId, path: [] })
    // Kept beside a file of its name, it gets a number, as on any desktop.
    const isSecond = upload.twin !== null && !upload.replaces
    const wish: NewUploadSession = {
      originalFilename: isSecond
        ? await withRetries(signal, () => freeName(base, folderId, upload.name))
        : upload.name,
      mimeType: upload.mimeType!,
      expectedSizeBytes: upload.sizeBytes,
      ...(upload.replaces ? { replacesAssetId: upload.replaces } : { folderId }),
    }
    const idempotencyKey = newKey()
    const { multipart, ...opened } = await withRetries(signal, () =>
      api.post<UploadSession>(`${base}/upload-session`, wish, { idempotencyKey, signal }),
    )
    const session = { ...opened, partSizeBytes: multipart?.partSizeBytes ?? null }
    uploads.set(id, { session, arrivedBytes: 0, sentBytes: 0 })
    uploads.save(id)
    return session
  }

  const sendWhole = ({ id, file, session, sizeBytes }: Upload, signal: AbortSignal) =>
    puts(() =>
      deliver(file!, {
        signal,
        onProgress: (sentBytes) => uploads.progressed(id, sentBytes),
        addressOf: async (refusal) =>
          nearest((!refusal && session!.uploadUrl) || (await freshAddress(session!, signal, refusal))),
      }),
    ).then(() => uploads.set(id, { arrivedBytes: sizeBytes, sentBytes: sizeBytes }))

  async function freshAddress(
    { uploadSessionId }: Session,
    signal: AbortSignal,
    refusal: StoreRefusal | undefined,
  ): Promise<string> {
    const ask = () => progressOf(uploadSessionId)
    // A store that has just refused us will hardly let the server in: to wait for that tells the person nothing.
    const progress = await (refusal?.status === 403 ? ask() : withRetries(signal, ask))
    if (!progress?.uploadUrl) throw new ConnectionLost() // it has arrived or ended after all: look again
    return progress.uploadUrl
  }

  async function sendParts(upload: Upload, missing: number[], signal: AbortSignal) {
    const { id, session, file, sizeBytes } = upload
    const parted = { sizeBytes, partSizeBytes: session!.partSizeBytes! }
    const others = new AbortController() // one part that fails stops its siblings
    const either = AbortSignal.any([signal, others.signal])
    const travelling = new Map<number, number>()
    let arrived = upload.arrivedBytes
    const report = () =>
      uploads.progressed(
        id,
        [...travelling.values()].reduce((sum, bytes) => sum + bytes, arrived),
        arrived,
      )
    const sendPart = (partNumber: number) =>
      puts(async () => {
        const bytes = file!.slice(...partRange(parted, partNumber))
        await deliver(bytes, {
          signal: either,
          onProgress(sentBytes) {
            travelling.set(partNumber, sentBytes)
            report()
          },
          addressOf: async () => nearest(await partAddress(session!, partNumber, either)),
        })
        travelling.delete(partNumber)
        arrived += bytes.size
        report()
      })
    const queue = [...missing]
    const worker = async () => {
      for (let part = queue.shift(); part !== undefined; part = queue.shift()) await sendPart(part)
    }
    try {
      await Promise.all(Array.from({ length: mostParts }, worker))
    } catch (error) {
      others.abort()
      throw error
    }
  }

  /** A store of the server's own is reached where the page came from, whatever address the server goes by. */
  async function nearest(address: string): Promise<string> {
    const { uploadsHere } = await limits.read()
    const { pathname, search } = new URL(address)
    return uploadsHere ? location.origin + pathname + search : address
  }

  async function partAddress(session: Session, partNumber: number, signal: AbortSignal): Promise<string> {
    const body = { uploadToken: session.uploadToken, partNumbers: [partNumber] }
    const { parts } = await withRetries(signal, () =>
      api.post<PartUrls>(`${base}/upload-session/parts`, body, { signal }),
    )
    return parts[0]!.uploadUrl
  }

  /** No answer came: is it the connection, the file, or the store? */
  async function explained(error: unknown, { file }: Upload, signal: AbortSignal): Promise<unknown> {
    if (!(error instanceof StoreRefusal) || error.status !== 0) return error
    const readable = await file!
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      )
    if (!readable) return new UnreadableFile()
    limits.forget()
    return withRetries(signal, limits.read).then(
      ({ uploadsHere }) => (uploadsHere ? new ConnectionLost() : error),
      (reason) => reason,
    )
  }

  /** How far a session is, or null when nothing can be sent to it any more. */
  async function progressOf(uploadSessionId: string): Promise<UploadProgress | null> {
    try {
      const progress = await api.get<UploadProgress>(`${base}/upload-session/${uploadSessionId}`)
      return progress.status === 'awaiting-upload' || progress.status === 'uploaded' ? progress : null
    } catch (error) {
      if (isProblem(error, 'upload-not-found')) return null
      throw error
    }
  }

  return { send, progressOf }
}
