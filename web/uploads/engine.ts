import type { Asset } from '../../contract/assets.ts'
import type {
  Finalize,
  FinalizedAsset,
  NewUploadSession,
  PartUrls,
  UploadLimits,
  UploadProgress,
  UploadSession,
} from '../../contract/uploads.ts'
import { api, isProblem } from '../api.ts'
import { newKey } from '../new-key.ts'
import type { Dropped } from './dropped.ts'
import { failureOf, isFinal, UnreadableFile } from './failure.ts'
import { type FolderAt, folderMaker } from './folder-tree.ts'
import { type Kept, keptUploads } from './kept.ts'
import { paceOfBytes } from './pace.ts'
import { bytesOfParts, partNumbers, partRange } from './parts.ts'
import { ConnectionLost, isOffline, patiently } from './patience.ts'
import { deliver, StoreRefusal } from './put.ts'
import { slots } from './slots.ts'
import { trueType } from './true-type.ts'
import {
  type About,
  after,
  can,
  type Failure,
  isOver,
  isSameFile,
  isTrouble,
  isUnderWay,
  type Move,
  type Session,
  stillUnsaved,
  type Trouble,
  type Upload,
} from './upload.ts'

export const mostFiles = 4
const mostParts = 3
// All files together: a browser opens six connections to one host, and the page needs some for itself.
const mostPuts = 4
const mostReads = 8
const mostWrites = 4
const quietMilliseconds = 150
const knockMilliseconds = 10_000

export interface Snapshot {
  readonly uploads: readonly Upload[]
  /** What stops every upload alike, until somebody asks to try again. */
  readonly trouble: Trouble | null
  readonly bytesPerSecond: number
}

export type Engine = ReturnType<typeof uploadEngine>

/** Brings files into one library: queue, bytes, finalization. Knows nothing of the page that shows it. */
export function uploadEngine(base: string, owner: string) {
  const uploads = new Map<string, Upload>()
  const running = new Map<string, AbortController>()
  const folderAt = new Map<string, FolderAt>()
  const kept = keptUploads(owner)
  const reads = slots(mostReads)
  const puts = slots(mostPuts)
  const writes = slots(mostWrites)
  const pace = paceOfBytes()
  const listeners = new Set<() => void>()
  let limits: Promise<UploadLimits | undefined> | undefined
  let trouble: Trouble | null = null
  let snapshot: Snapshot = { uploads: [], trouble: null, bytesPerSecond: 0 }
  let quiet: ReturnType<typeof setTimeout> | undefined

  // ── adding ────────────────────────────────────────────────────────────────────────────────────────────

  function add({ files, folders }: Dropped, folderId: string | null, replaces: string | null = null) {
    const makeFolder = folderMaker(base)
    trouble = null
    limits = api.get<UploadLimits>(`${base}/upload-limits`).catch(() => undefined)
    const left = [...uploads.values()].filter(({ state }) => state === 'left')
    for (const { file, path } of files) {
      const begun = left.find((one) => isSameFile(one, asked(file)))
      if (begun && goOnWith(begun.id, file)) continue
      const upload = newUpload({ ...asked(file), file, folderId, path, replaces })
      uploads.set(upload.id, upload)
      folderAt.set(upload.id, makeFolder)
      void read(upload.id, file)
    }
    void makeAll(makeFolder, folderId, folders)
    tell()
  }

  /** The type is told before any byte moves. */
  const read = (id: string, file: File) =>
    reads(async () => {
      if (file.size === 0) return refuse(id, { code: 'empty' })
      const type = await trueType(file).catch(() => undefined)
      if (!type) return refuse(id, { code: 'unreadable-file' })
      if (typeof type === 'object')
        return refuse(id, { code: 'unsupported-type', values: { type: type.other } })
      const mostBytes = (await limits)?.maxSizeBytes[type]
      if (mostBytes !== undefined && file.size > mostBytes)
        return refuse(id, { code: 'too-large', values: { mostBytes } })
      go(id, 'ready', { mimeType: type })
      pump()
    })

  /** Large uploads of an earlier visit, to be gone on with once their file is chosen again. */
  async function recall() {
    for (const one of await kept.leftBehind()) {
      if ([...uploads.values()].some(({ session }) => session?.uploadSessionId === one.uploadSessionId))
        continue
      const progress = await progressOf(one.uploadSessionId).catch(() => undefined)
      if (progress === null) {
        kept.forget(one.uploadSessionId)
        continue
      }
      const upload = newUpload({
        ...one,
        file: null,
        path: [],
        state: 'left',
        session: { ...one, uploadUrl: null },
      })
      const arrivedBytes = bytesOfParts(one, progress?.multipart?.uploadedPartNumbers ?? [])
      const isSent = progress?.status === 'uploaded'
      uploads.set(upload.id, { ...upload, arrivedBytes, sentBytes: arrivedBytes, isSent })
      tell()
    }
  }

  /** False when the file is another than the one begun with. */
  function goOnWith(id: string, file: File): boolean {
    const upload = uploads.get(id)
    if (!upload || !isSameFile(upload, asked(file))) return false
    go(id, 'resume', { file })
    pump()
    return true
  }

  // ── the way of one file ───────────────────────────────────────────────────────────────────────────────

  function pump() {
    if (trouble) return
    for (const { id, state } of uploads.values()) {
      if (running.size >= mostFiles) return
      if (state === 'queued' && !running.has(id)) void run(id)
    }
  }

  async function run(id: string) {
    const stop = new AbortController()
    running.set(id, stop)
    try {
      if (uploads.get(id)!.isSent) go(id, 'check')
      else {
        go(id, 'start')
        await send(id, stop.signal)
        go(id, 'sent', { isSent: true })
      }
      await finalize(id, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) giveUp(id, error)
    } finally {
      running.delete(id)
      pump()
    }
  }

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
    const progress = session && (await patiently(signal, () => progressOf(session.uploadSessionId)))
    if (!session || !progress) {
      if (session) kept.forget(session.uploadSessionId)
      const { partSizeBytes } = await open(id, signal)
      return partSizeBytes ? partNumbers({ sizeBytes, partSizeBytes }) : 'all'
    }
    if (progress.status === 'uploaded') return 'nothing'
    set(id, { session: { ...session, uploadUrl: progress.uploadUrl } })
    if (!progress.multipart) return 'all'
    const { partSizeBytes, uploadedPartNumbers } = progress.multipart
    const arrivedBytes = bytesOfParts({ sizeBytes, partSizeBytes }, uploadedPartNumbers)
    set(id, { arrivedBytes, sentBytes: arrivedBytes })
    return partNumbers({ sizeBytes, partSizeBytes }).filter((part) => !uploadedPartNumbers.includes(part))
  }

  async function open(id: string, signal: AbortSignal): Promise<Session> {
    const upload = uploads.get(id)!
    const folderId = await patiently(
      signal,
      () => folderAt.get(id)?.(upload.folderId, upload.path) ?? Promise.resolve(upload.folderId),
    )
    set(id, { folderId, path: [] })
    const wish: NewUploadSession = {
      originalFilename: upload.name,
      mimeType: upload.mimeType!,
      expectedSizeBytes: upload.sizeBytes,
      ...(upload.replaces ? { replacesAssetId: upload.replaces } : { folderId }),
    }
    const idempotencyKey = newKey()
    const { multipart, ...opened } = await patiently(signal, () =>
      api.post<UploadSession>(`${base}/upload-session`, wish, { idempotencyKey, signal }),
    )
    const session = { ...opened, partSizeBytes: multipart?.partSizeBytes ?? null }
    set(id, { session, arrivedBytes: 0, sentBytes: 0 })
    keep(id)
    return session
  }

  const sendWhole = ({ id, file, session, sizeBytes }: Upload, signal: AbortSignal) =>
    puts(() =>
      deliver(file!, {
        signal,
        onProgress: (sentBytes) => progressed(id, sentBytes),
        addressOf: async (attempt) =>
          attempt === 1 && session!.uploadUrl ? session!.uploadUrl : freshAddress(session!, signal),
      }),
    ).then(() => set(id, { arrivedBytes: sizeBytes, sentBytes: sizeBytes }))

  async function freshAddress({ uploadSessionId }: Session, signal: AbortSignal): Promise<string> {
    const progress = await patiently(signal, () => progressOf(uploadSessionId))
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
      progressed(
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
          addressOf: () => partAddress(session!, partNumber, either),
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

  async function partAddress(session: Session, partNumber: number, signal: AbortSignal): Promise<string> {
    const body = { uploadToken: session.uploadToken, partNumbers: [partNumber] }
    const { parts } = await patiently(signal, () =>
      api.post<PartUrls>(`${base}/upload-session/parts`, body, { signal }),
    )
    return parts[0]!.uploadUrl
  }

  async function finalize(id: string, signal: AbortSignal) {
    const { session, about, replaces, folderId } = uploads.get(id)!
    const wish: Finalize = {
      uploadToken: session!.uploadToken,
      ...(replaces ? {} : { ...about, folderId }), // a new version keeps the words and the place of the asset
    }
    const asset = await patiently(signal, () =>
      api.post<FinalizedAsset>(`${base}/upload-session/finalize`, wish),
    )
    kept.forget(session!.uploadSessionId)
    folderAt.delete(id)
    const unsaved = stillUnsaved(uploads.get(id)!.about, about)
    go(id, 'made', { asset, about: unsaved, file: null, failure: null })
    if (Object.keys(unsaved).length > 0) await writeAbout(id) // more was written while it was checked
  }

  async function writeAbout(id: string) {
    const { asset, about } = uploads.get(id)!
    try {
      const written = await writes(() => api.patch<Asset>(`${base}/${asset!.assetId}`, about))
      const upload = uploads.get(id)
      if (upload) set(id, { asset: { ...asset!, ...written }, about: stillUnsaved(upload.about, about) })
    } catch (error) {
      go(id, 'failWords', { failure: failureOf(error, uploads.get(id)!) })
    }
  }

  // ── when it does not work ─────────────────────────────────────────────────────────────────────────────

  function giveUp(id: string, error: unknown) {
    const upload = uploads.get(id)
    if (!upload) return
    const back = { sentBytes: upload.arrivedBytes }
    if (error instanceof ConnectionLost) {
      go(id, 'lose', back)
      return
    }
    if (isProblem(error, 'file-not-uploaded')) {
      go(id, 'missing', { ...back, isSent: false })
      return
    }
    const failure = failureOf(error, upload)
    if (isFinal(failure)) return refuse(id, failure)
    if (failure.code === 'expired') forgetSession(id)
    if (failure.code === 'folder-gone') set(id, { folderId: null, path: [] }) // trying again puts it at the top
    if (isTrouble(failure)) trouble = failure
    const isSent = uploads.get(id)!.isSent
    go(id, isSent ? 'failCheck' : 'fail', isSent ? { failure } : { ...back, failure })
  }

  function refuse(id: string, failure: Failure) {
    const session = uploads.get(id)?.session
    if (session) kept.forget(session.uploadSessionId)
    go(id, 'refuse', { failure, file: null, sentBytes: 0 })
  }

  /** An answer that never came says little: is it the line, the file, or the store? */
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
    limits = patiently(signal, () => api.get<UploadLimits>(`${base}/upload-limits`))
    return limits.then(
      () => error,
      (reason) => reason,
    )
  }

  function forgetSession(id: string) {
    const session = uploads.get(id)?.session
    if (session) kept.forget(session.uploadSessionId)
    set(id, { session: null, isSent: false, arrivedBytes: 0, sentBytes: 0 })
  }

  // Browsers do not always notice that the line is back: knock from time to time.
  const goOnWhenBack = () => {
    if (!isOffline()) resumeAll((upload) => upload.state === 'offline')
  }

  // ── what a person can ask for ─────────────────────────────────────────────────────────────────────────

  function pauseOne(id: string) {
    const upload = uploads.get(id)
    if (!upload || !can(upload, 'pause')) return
    go(id, 'pause', { sentBytes: upload.arrivedBytes })
    running.get(id)?.abort()
  }

  function cancelOne(id: string) {
    const upload = uploads.get(id)
    if (!upload || !can(upload, 'cancel')) return
    go(id, 'cancel')
    running.get(id)?.abort()
    folderAt.delete(id)
    if (!upload.session) return
    kept.forget(upload.session.uploadSessionId)
    api.delete(`${base}/upload-session/${upload.session.uploadSessionId}`).catch(() => {}) // it ends by itself too
  }

  function retryOne(id: string) {
    if (go(id, 'retryWords', { failure: null })) void writeAbout(id)
    else go(id, 'retry', { failure: null })
  }

  /** Each upload that fits, then one look at the queue. */
  function forAll(act: (id: string) => void, fits: (upload: Upload) => boolean = () => true) {
    for (const upload of [...uploads.values()]) if (fits(upload)) act(upload.id)
    pump()
    tell()
  }

  const resumeAll = (fits: (upload: Upload) => boolean = (upload) => !!upload.file || upload.isSent) =>
    forAll((id) => go(id, 'resume'), fits)

  function retryAll() {
    trouble = null
    forAll(retryOne)
  }

  /** Sent along with finalization, or written into the asset when there is one. */
  function describe(ids: readonly string[], write: (upload: Upload) => About) {
    for (const id of ids) {
      const upload = uploads.get(id)
      const written = upload && write(upload)
      if (!upload || !written || Object.keys(written).length === 0) continue
      set(id, { about: { ...upload.about, ...written } })
      if (upload.asset) void writeAbout(id)
      else keep(id)
    }
    tell()
  }

  const assetAt = (assetId: string) => api.get<Asset>(`${base}/${assetId}`)

  async function removeCopy(id: string) {
    const upload = uploads.get(id)
    if (!upload?.asset) return
    await api.delete(`${base}/${upload.asset.assetId}`)
    go(id, 'dismiss')
  }

  // ── books ─────────────────────────────────────────────────────────────────────────────────────────────

  function set(id: string, change: Partial<Upload>) {
    const upload = uploads.get(id)
    if (upload) uploads.set(id, { ...upload, ...change })
    changed()
  }

  function go(id: string, move: Move, change: Partial<Upload> = {}): boolean {
    const upload = uploads.get(id)
    const state = upload && after(upload.state, move)
    if (!state) return false
    if (state === 'gone') uploads.delete(id)
    else uploads.set(id, { ...upload, ...change, state })
    changed()
    return true
  }

  function progressed(id: string, sentBytes: number, arrivedBytes?: number) {
    const upload = uploads.get(id)
    if (upload?.state !== 'sending') return
    pace.moved(sentBytes - upload.sentBytes)
    set(id, { sentBytes, ...(arrivedBytes !== undefined && { arrivedBytes }) })
  }

  function keep(id: string) {
    const { session, mimeType, ...upload } = uploads.get(id)!
    if (!session?.partSizeBytes || !mimeType) return
    const { name, sizeBytes, lastModified, folderId, replaces, about } = upload
    const { uploadSessionId, uploadToken, partSizeBytes } = session
    const one: Kept = {
      uploadSessionId,
      uploadToken,
      name,
      sizeBytes,
      lastModified,
      mimeType,
      folderId,
      replaces,
      partSizeBytes,
      about,
    }
    kept.keep(one)
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

  /** Many small changes are told as one. */
  function changed() {
    quiet ??= setTimeout(tell, quietMilliseconds)
  }

  function tell() {
    clearTimeout(quiet)
    quiet = undefined
    snapshot = { uploads: [...uploads.values()], trouble, bytesPerSecond: pace.perSecond() }
    for (const listener of listeners) listener()
  }

  const atOnce =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      act(...args)
      pump()
      tell()
    }

  addEventListener('online', goOnWhenBack)
  setInterval(goOnWhenBack, knockMilliseconds)
  addEventListener('beforeunload', (event) => {
    if (!trouble && [...uploads.values()].some(isUnderWay)) event.preventDefault()
  })
  void recall()

  return {
    add,
    goOnWith,
    pause: atOnce(pauseOne),
    resume: atOnce((id: string) => void go(id, 'resume')),
    cancel: atOnce(cancelOne),
    dismiss: atOnce((id: string) => void go(id, 'dismiss')),
    retry: atOnce((id: string) => {
      if (isTrouble(uploads.get(id)?.failure ?? null)) trouble = null
      retryOne(id)
    }),
    pauseAll: () => forAll(pauseOne),
    resumeAll: () => resumeAll(),
    retryAll,
    cancelAll: () => forAll(cancelOne),
    dismissOver: () => forAll((id) => void go(id, 'dismiss'), isOver),
    describe,
    assetAt,
    removeCopy,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot: () => snapshot,
  }
}

async function makeAll(makeFolder: FolderAt, top: string | null, folders: string[][]) {
  // A folder that cannot be made is told by the files that wanted to go there.
  for (const path of folders) await makeFolder(top, path).catch(() => {})
}

const asked = (file: File) => ({ name: file.name, sizeBytes: file.size, lastModified: file.lastModified })

const newUpload = (
  given: Pick<Upload, 'name' | 'sizeBytes' | 'lastModified' | 'file' | 'folderId' | 'path' | 'replaces'> &
    Partial<Upload>,
): Upload => ({
  id: newKey(),
  mimeType: null,
  state: 'reading',
  sentBytes: 0,
  arrivedBytes: 0,
  session: null,
  isSent: false,
  about: {},
  failure: null,
  asset: null,
  ...given,
})
