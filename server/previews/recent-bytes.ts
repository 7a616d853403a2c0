import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Library } from '../library.ts'
import { objectMissing } from '../problems.ts'

const largestKept = 256 * 1024

interface Wanted {
  library: Library
  key: string
  sizeBytes: number
}

/** The small pictures shown last, by where they lie. What lies under such a key never changes. */
const recent = new LRUCache<string, Buffer, Wanted>({
  maxSize: 48 * 1024 * 1024,
  sizeCalculation: ({ length }) => Math.max(1, length),
  // Called once, however many ask meanwhile.
  async fetchMethod(_name, _old, { context: { library, key, sizeBytes } }) {
    const bytes = await buffer(await library.storage.read(key))
    if (bytes.length !== sizeBytes) throw objectMissing()
    return bytes
  },
})

/** The bytes of a small derived file: a page of tiles should not cost a page of trips to the store. */
export async function recentBytes(
  library: Library,
  key: string,
  sizeBytes: number,
): Promise<Buffer | undefined> {
  if (sizeBytes > largestKept) return undefined
  return recent.forceFetch(`${library.clientId}/${key}`, { context: { library, key, sizeBytes } })
}
