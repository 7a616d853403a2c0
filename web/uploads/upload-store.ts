import { createStore } from '../store.ts'
import { paceOfBytes } from './pace.ts'
import { type SavedUpload, savedUploads } from './saved-uploads.ts'
import { after, type Move, type Trouble, type Upload } from './upload.ts'

const quietMilliseconds = 150

export interface Snapshot {
  readonly uploads: readonly Upload[]
  /** What stops every upload alike, until somebody asks to try again. */
  readonly trouble: Trouble | null
  readonly bytesPerSecond: number
}

export type UploadStore = ReturnType<typeof uploadStore>

/** The state of each upload, published to whoever shows it; what has to outlive the page is saved. */
export function uploadStore(owner: string) {
  const uploads = new Map<string, Upload>()
  const saved = savedUploads(owner)
  const pace = paceOfBytes()
  const snapshot = createStore<Snapshot>({ uploads: [], trouble: null, bytesPerSecond: 0 })
  let trouble: Trouble | null = null
  let quiet: ReturnType<typeof setTimeout> | undefined

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

  /** Only uploads in parts can be resumed on a later visit. */
  function save(id: string) {
    const { session, mimeType, ...upload } = uploads.get(id)!
    if (!session?.partSizeBytes || !mimeType) return
    const { name, sizeBytes, lastModified, folderId, replaces, collectionId, about } = upload
    const { uploadSessionId, uploadToken, partSizeBytes } = session
    const one: SavedUpload = {
      uploadSessionId,
      uploadToken,
      name,
      sizeBytes,
      lastModified,
      mimeType,
      folderId,
      replaces,
      collectionId,
      partSizeBytes,
      about,
    }
    saved.save(one)
  }

  function forget(id: string) {
    const session = uploads.get(id)?.session
    if (session) saved.forget(session.uploadSessionId)
  }

  /** Many small changes are published as one. */
  function changed() {
    quiet ??= setTimeout(publish, quietMilliseconds)
  }

  function publish() {
    clearTimeout(quiet)
    quiet = undefined
    snapshot.set({ uploads: [...uploads.values()], trouble, bytesPerSecond: pace.perSecond() })
  }

  return {
    get: (id: string) => uploads.get(id),
    all: () => [...uploads.values()],
    add: (upload: Upload) => void uploads.set(upload.id, upload),
    set,
    go,
    progressed,
    save,
    forget,
    saved,
    get trouble() {
      return trouble
    },
    set trouble(met: Trouble | null) {
      trouble = met
    },
    publish,
    snapshot,
  }
}
