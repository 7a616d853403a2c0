import type { Asset } from '../../contract/assets.ts'
import type { Finalize, FinalizedAsset } from '../../contract/uploads.ts'
import { api, isProblem } from '../api.ts'
import { isOffline } from '../connection.ts'
import { describing } from './describing.ts'
import type { Dropped } from './dropped.ts'
import { failureOf, isFinal } from './failure.ts'
import { firstLook } from './first-look.ts'
import { type FolderAt, folderMaker } from './folder-tree.ts'
import { recallLeftBehind } from './left-behind.ts'
import { limitsOf } from './limits.ts'
import { asked, newUpload } from './new-upload.ts'
import { ConnectionLost, withRetries } from './retry.ts'
import { sameNames } from './same-names.ts'
import { sender } from './send.ts'
import { slots } from './slots.ts'
import {
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
const lookAgainMilliseconds = 10_000

/** Where files go: a folder, null being the top of the library, and a collection beside it. */
export interface Into {
  folderId: string | null
  collectionId?: string | null
}

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
  const { writeAbout, describe } = describing(base, uploads)

  // ── adding ────────────────────────────────────────────────────────────────────────────────────────────

  function add(
    { files, folders }: Dropped,
    { folderId, collectionId = null }: Into,
    replaces: string | null = null,
  ) {
    const makeFolder = folderMaker(base)
    const drop = {} as Drop
    uploads.trouble = null
    limits.forget()
    const left = uploads.all().filter(({ state }) => state === 'left')
    for (const { file, path } of files) {
      const begun = left.find((one) => isSameFile(one, asked(file)))
      if (begun && goOnWith(begun.id, file)) continue
      const upload = newUpload({ ...asked(file), file, folderId, collectionId, path, replaces })
      uploads.add(upload)
      folderAt.set(upload.id, makeFolder)
      dropOf.set(upload.id, drop)
      void read(upload.id, file)
    }
    void makeAll(makeFolder, folderId, folders)
    uploads.publish()
  }

  const read = (id: string, file: File) =>
    reads(async () => {
      const type = await firstLook(file, limits)
      if (typeof type === 'object') return refuse(id, type)
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
    const { session, about, replaces, folderId, collectionId } = uploads.get(id)!
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
    // More was written while it was checked, or it was uploaded into a collection.
    if (Object.keys(unsaved).length > 0 || collectionId) await writeAbout(id)
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

  const assetAt = (assetId: string) => api.get<Asset>(`${base}/${assetId}`)

  /** Answers with how that is taken back; not at all where the other one is gone by now, for then this one stays. */
  async function removeCopy(id: string) {
    const { assetId, duplicateOf } = uploads.get(id)!.asset!
    const copy = `${base}/${assetId}`
    const isLast = (await assetAt(duplicateOf!)).trashedAt !== null
    if (!isLast) await api.delete(copy)
    uploads.go(id, 'dismiss')
    return isLast ? undefined : () => api.post(`${copy}/restore`)
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
  void recallLeftBehind(uploads, progressOf)

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
