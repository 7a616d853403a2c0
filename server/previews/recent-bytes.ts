import { buffer } from 'node:stream/consumers'
import type { Library } from '../library.ts'
import { objectMissing } from '../problems.ts'

const largestKept = 256 * 1024
const mostBytes = 48 * 1024 * 1024

/** The small pictures shown last, by where they lie. What lies under such a key never changes. */
const kept = new Map<string, Buffer>()
let bytesKept = 0

/** The bytes of a small derived file: a page of tiles should not cost a page of trips to the store. */
export async function recentBytes(
  library: Library,
  key: string,
  sizeBytes: number,
): Promise<Buffer | undefined> {
  if (sizeBytes > largestKept) return undefined
  const name = `${library.clientId}/${key}`
  const bytes = kept.get(name) ?? (await readOnce(library, key, name, sizeBytes))
  forget(name)
  kept.set(name, bytes) // behind all others now: the first is the one not asked for longest
  bytesKept += bytes.length
  for (const oldest of kept.keys()) {
    if (bytesKept <= mostBytes) break
    forget(oldest)
  }
  return bytes
}

const beingRead = new Map<string, Promise<Buffer>>()

/** However many ask at once. */
function readOnce(library: Library, key: string, name: string, sizeBytes: number): Promise<Buffer> {
  const running = beingRead.get(name)
  if (running) return running
  const reading = library.storage
    .read(key)
    .then(buffer)
    .then((bytes) => {
      if (bytes.length !== sizeBytes) throw objectMissing()
      return bytes
    })
    .finally(() => beingRead.delete(name))
  beingRead.set(name, reading)
  return reading
}

function forget(name: string): void {
  bytesKept -= kept.get(name)?.length ?? 0
  kept.delete(name)
}
