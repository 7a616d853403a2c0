import type { MediaType } from '../../contract/media-types.ts'
import type { About, Session } from './upload.ts'

/** What is remembered of a large upload, so that it can go on after the page was closed. */
export interface SavedUpload extends Pick<Session, 'uploadSessionId' | 'uploadToken'> {
  name: string
  sizeBytes: number
  lastModified: number
  mimeType: MediaType
  folderId: string | null
  replaces: string | null
  collectionId: string | null
  partSizeBytes: number
  about: About
}

/** Saved per person and library: another login on the same machine sees nothing of it. */
export function savedUploads<One extends Pick<Session, 'uploadSessionId'> = SavedUpload>(owner: string) {
  const place = `asset-library:uploads:${owner}`
  const locks = new Map<string, () => void>()

  const all = (): One[] => JSON.parse(localStorage.getItem(place) ?? '[]')
  const write = (uploads: One[]) =>
    uploads.length > 0 ? localStorage.setItem(place, JSON.stringify(uploads)) : localStorage.removeItem(place)
  const without = (uploadSessionId: string) =>
    all().filter((upload) => upload.uploadSessionId !== uploadSessionId)
  /** This tab sends it no more. */
  const release = (uploadSessionId: string) => {
    locks.get(uploadSessionId)?.()
    locks.delete(uploadSessionId)
  }

  return {
    save(upload: One) {
      write([...without(upload.uploadSessionId), upload])
      holdLock(locks, upload.uploadSessionId)
    },
    forget(uploadSessionId: string) {
      write(without(uploadSessionId))
      release(uploadSessionId)
    },
    release,
    /** Those that no other open tab is sending right now. */
    async leftBehind(): Promise<One[]> {
      const held = await heldLocks()
      return all().filter(({ uploadSessionId }) => !held.has(lockName(uploadSessionId)))
    },
  }
}

const lockName = (uploadSessionId: string) => `asset-library:${uploadSessionId}`

// Browsers offer locks on secure pages only; elsewhere two tabs may both offer to go on, which does no harm.
async function heldLocks(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.map(({ name }) => name ?? ''))
}

function holdLock(locks: Map<string, () => void>, uploadSessionId: string) {
  if (locks.has(uploadSessionId)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  locks.set(uploadSessionId, resolve)
  navigator.locks?.request(lockName(uploadSessionId), () => promise)
}
