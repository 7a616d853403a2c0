import type { Asset } from '../../contract/assets.ts'
import type { Finalize, FinalizedAsset } from '../../contract/uploads.ts'
import { api, isProblem } from '../api.ts'
import { isOffline } from '../connection.ts'
import { newKey } from '../new-key.ts'
import type { Dropped } from './dropped.ts'
import { failureOf, isFinal } from './failure.ts'
import { type FolderAt, folderMaker } from './folder-tree.ts'
import { limitsOf } from './limits.ts'
import { bytesOfParts } from './parts.ts'
import { ConnectionLost, withRetries } from './retry.ts'
import { sameNames } from './same-names.ts'
import { sender } from './send.ts'
import { slots } from './slots.ts'
import { isTakenEnding, trueType } from './true-type.ts'
import {
  type About,
  type Answer,
  can,
  type Failure,
  isOver,
  isSameFile,
  isTrouble,
  isUnderWay,
  stillUnsaved,
  type Upload,
} from './upload.ts'
import { uploadStore } from './upload-store.ts'

export const mostFiles = 4
const mostReads = 8
const mostWrites = 4
const lookAgainMilliseconds = 10_000

/** What was dropped or chosen together: one answer may hold for all of it. */
interface Drop {
  answer?: Answer
}

export type Engine = ReturnType<typeof uploadEngine>

/** Brings files into one library: queue, bytes, finalization. Knows nothing of the page that shows it. */
export function uploadEngine(base: string, owner: string) {
  const uploads = uploadStore(owner)
  const running = new Map<string, AbortController>()
  const folderAt = new Map<string, FolderAt>()
  const limits = limitsOf(base)
  const { send, progressOf } = sender(base, uploads, folderAt, limits)
  const twinOf = sameNames(base)
  const dropOf = new Map<string, Drop>()
  const reads = slots(mostReads)
  const writes = slots(mostWrites)

  // ── adding ────────────────────────────────────────────────────────────────────────────────────────────

  function add({ files, folders }: Dropped, folderId: string | null, replaces: string | null = null) {
    const makeFolder = folderMaker(base)
    const drop = {} as Drop
    uploads.trouble = null
    limits.forget()
    const left = uploads.all().filter(({ state }) => state === 'left')
    for (const { file, path } of files) {
      const begun = left.find((one) => isSameFile(one, asked(file)))
      if (begun && goOnWith(begun.id, file)) continue
      const upload = newUpload({ ...asked(file), file, folderId, path, replaces })
      uploads.add(upload)
      folderAt.set(upload.id, makeFolder)
      dropOf.set(upload.id, drop)
      void read(upload.id, file)
    }
    void makeAll(makeFolder, folderId, folders)
    uploads.publish()
  }

  /** Checks type and size before any byte is sent. */
  const read = (id: string, file: File) =>
    reads(async () => {
      if (file.size === 0) return refuse(id, { code: 'empty' })
      const type = await trueType(file).catch(() => undefined)
      if (!type) return refuse(id, { code: 'unreadable-file' })
      if (typeof type === 'object')
        return refuse(
          id,
          isTakenEnding(type.other)
            ? { code: 'type-mismatch' } // “JPG is not supported, use JPG” helps nobody
            : { code: 'unsupported-type', values: { type: type.other } },
        )
      const mostBytes = (await limits.read().catch(() => undefined))?.maxSizeBytes[type]
      if (mostBytes !== undefined && file.size > mostBytes)
        return refuse(id, { code: 'too-large', values: { mostBytes } })
      const { replaces, folderId, path } = uploads.get(id) ?? {}
      const at = replaces ? undefined : await folderAt.get(id)?.find(folderId ?? null, path ?? [])
      const twin = at === undefined ? null : await twinOf(at, file.name)
      if (!twin) uploads.go(id, 'ready', { mimeType: type })
      else if (uploads.go(id, 'ask', { mimeType: type, twin }) && dropOf.get(id)?.answer)
        answerOne(id, dropOf.get(id)!.answer!)
      pump()
    })

  function answerOne(id: string, answer: Answer) {
    if (answer === 'skip') return cancelOne(id)
    const twin = uploads.get(id)?.twin
    uploads.go(id, 'ready', answer === 'replace' ? { replaces: twin?.assetId ?? null } : {})
  }

  /** Also for those of the same drop that are still being read, if the person says so. */
  function answer(id: string, what: Answer, forAll: boolean) {
    const drop = dropOf.get(id)
    if (forAll && drop) drop.answer = what
    for (const upload of uploads.all())
      if (upload.state === 'asking' && (upload.id === id || (forAll && dropOf.get(upload.id) === drop)))
        answerOne(upload.id, what)
  }

  /** Large uploads of an earlier visit, resumed once their file is chosen again. */
  async function recall() {
    for (const one of await uploads.saved.leftBehind()) {
      if (uploads.all().some(({ session }) => session?.uploadSessionId === one.uploadSessionId)) continue
      const progress = await progressOf(one.uploadSessionId).catch(() => undefined)
      if (progress === null) {
        uploads.saved.forget(one.uploadSessionId)
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
      uploads.add({ ...upload, arrivedBytes, sentBytes: arrivedBytes, isSent })
      uploads.publish()
    }
  }

  /** False when the file is another than the one begun with. */
  function goOnWith(id: string, file: File): boolean {
    const upload = uploads.get(id)
    if (!upload || !isSameFile(upload, asked(file))) return false
    uploads.go(id, 'resume', { file })
    pump()
    return true
  }

  // ── the way of one file ───────────────────────────────────────────────────────────────────────────────

  function pump() {
    if (uploads.trouble) return
    for (const { id, state } of uploads.all()) {
      if (running.size >= mostFiles) return
      if (state === 'queued' && !running.has(id)) void run(id)
    }
  }

  async function run(id: string) {
    const stop = new AbortController()
    running.set(id, stop)
    try {
      if (uploads.get(id)!.isSent) uploads.go(id, 'check')
      else {
        uploads.go(id, 'start')
        await send(id, stop.signal)
        uploads.go(id, 'sent', { isSent: true })
      }
      await finalize(id, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) giveUp(id, error)
    } finally {
      running.delete(id)
      pump()
    }
  }

  async function finalize(id: string, signal: AbortSignal) {
    const { session, about, replaces, folderId } = uploads.get(id)!
    const wish: Finalize = {
      uploadToken: session!.uploadToken,
      ...(replaces ? {} : { ...about, folderId }), // a new version keeps the words and the place of the asset
    }
    const asset = await withRetries(signal, () =>
      api.post<FinalizedAsset>(`${base}/upload-session/finalize`, wish),
    )
    uploads.forget(id)
    folderAt.delete(id)
    dropOf.delete(id)
    const unsaved = stillUnsaved(uploads.get(id)!.about, about)
    uploads.go(id, 'made', { asset, about: unsaved, file: null, failure: null })
    if (Object.keys(unsaved).length > 0) await writeAbout(id) // more was written while it was checked
  }

  async function writeAbout(id: string) {
    const { asset, about } = uploads.get(id)!
    try {
      const written = await writes(() => api.patch<Asset>(`${base}/${asset!.assetId}`, about))
      const upload = uploads.get(id)
      if (upload)
        uploads.set(id, { asset: { ...asset!, ...written }, about: stillUnsaved(upload.about, about) })
    } catch (error) {
      uploads.go(id, 'failWords', { failure: failureOf(error, uploads.get(id)!) })
    }
  }

  // ── when it does not work ─────────────────────────────────────────────────────────────────────────────

  function giveUp(id: string, error: unknown) {
    const upload = uploads.get(id)
    if (!upload) return
    const back = { sentBytes: upload.arrivedBytes }
    if (error instanceof ConnectionLost) {
      uploads.go(id, 'lose', back)
      return
    }
    if (isProblem(error, 'file-not-uploaded')) {
      uploads.go(id, 'missing', { ...back, isSent: false })
      return
    }
    const failure = failureOf(error, upload)
    if (isFinal(failure)) return refuse(id, failure)
    if (failure.code === 'expired') forgetSession(id)
    if (failure.code === 'folder-gone') uploads.set(id, { folderId: null, path: [] }) // trying again puts it at the top
    if (isTrouble(failure)) uploads.trouble = failure
    const isSent = uploads.get(id)!.isSent
    uploads.go(id, isSent ? 'failCheck' : 'fail', isSent ? { failure } : { ...back, failure })
  }

  function refuse(id: string, failure: Failure) {
    uploads.forget(id)
    uploads.go(id, 'refuse', { failure, file: null, sentBytes: 0 })
  }

  function forgetSession(id: string) {
    uploads.forget(id)
    uploads.set(id, { session: null, isSent: false, arrivedBytes: 0, sentBytes: 0 })
  }

  // Browsers do not always notice that the connection is back: try from time to time.
  const goOnWhenBack = () => {
    if (!isOffline()) resumeAll((upload) => upload.state === 'offline')
  }

  // ── what a person can ask for ─────────────────────────────────────────────────────────────────────────

  function pauseOne(id: string) {
    const upload = uploads.get(id)
    if (!upload || !can(upload, 'pause')) return
    uploads.go(id, 'pause', { sentBytes: upload.arrivedBytes })
    running.get(id)?.abort()
  }

  function cancelOne(id: string) {
    const upload = uploads.get(id)
    if (!upload || !can(upload, 'cancel')) return
    uploads.go(id, 'cancel')
    running.get(id)?.abort()
    folderAt.delete(id)
    if (!upload.session) return
    uploads.saved.forget(upload.session.uploadSessionId)
    api.delete(`${base}/upload-session/${upload.session.uploadSessionId}`).catch(() => {}) // it ends by itself too
  }

  function retryOne(id: string) {
    if (uploads.go(id, 'retryWords', { failure: null })) void writeAbout(id)
    else uploads.go(id, 'retry', { failure: null })
  }

  /** Each upload that fits, then one look at the queue. */
  function forAll(act: (id: string) => void, fits: (upload: Upload) => boolean = () => true) {
    for (const upload of uploads.all()) if (fits(upload)) act(upload.id)
    pump()
    uploads.publish()
  }

  const resumeAll = (fits: (upload: Upload) => boolean = (upload) => !!upload.file || upload.isSent) =>
    forAll((id) => uploads.go(id, 'resume'), fits)

  function retryAll() {
    uploads.trouble = null
    forAll(retryOne)
  }

  /** Sent along with finalization, or written into the asset when there is one. */
  function describe(ids: readonly string[], write: (upload: Upload) => About) {
    for (const id of ids) {
      const upload = uploads.get(id)
      const written = upload && write(upload)
      if (!upload || !written || Object.keys(written).length === 0) continue
      uploads.set(id, { about: { ...upload.about, ...written } })
      if (upload.asset) void writeAbout(id)
      else uploads.save(id)
    }
    uploads.publish()
  }

  const assetAt = (assetId: string) => api.get<Asset>(`${base}/${assetId}`)

  /** Answers with how that is taken back. */
  async function removeCopy(id: string) {
    const asset = uploads.get(id)?.asset
    if (!asset) return
    const copy = `${base}/${asset.assetId}`
    await api.delete(copy)
    uploads.go(id, 'dismiss')
    return () => api.post(`${copy}/restore`)
  }

  const atOnce =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      act(...args)
      pump()
      uploads.publish()
    }

  addEventListener('online', goOnWhenBack)
  setInterval(goOnWhenBack, lookAgainMilliseconds)
  addEventListener('beforeunload', (event) => {
    if (!uploads.trouble && uploads.all().some(isUnderWay)) event.preventDefault()
  })
  void recall()

  return {
    add,
    goOnWith,
    pause: atOnce(pauseOne),
    resume: atOnce((id: string) => void uploads.go(id, 'resume')),
    cancel: atOnce(cancelOne),
    answer: atOnce(answer),
    dismiss: atOnce((id: string) => void uploads.go(id, 'dismiss')),
    retry: atOnce((id: string) => {
      if (isTrouble(uploads.get(id)?.failure ?? null)) uploads.trouble = null
      retryOne(id)
    }),
    pauseAll: () => forAll(pauseOne),
    resumeAll: () => resumeAll(),
    retryAll,
    cancelAll: () => forAll(cancelOne),
    dismissOver: () => forAll((id) => void uploads.go(id, 'dismiss'), isOver),
    describe,
    assetAt,
    removeCopy,
    snapshot: uploads.snapshot,
  }
}

async function makeAll(makeFolder: FolderAt, top: string | null, folders: string[][]) {
  // A folder that cannot be made shows as a failure of the files that belong in it.
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
  twin: null,
  ...given,
})
