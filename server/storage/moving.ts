import { existsSync } from 'node:fs'
import { objectMissing, Problem } from '../problems.ts'
import { sideBySide } from './side-by-side.ts'
import type { ObjectStore, Storage } from './storage.ts'

/**
 * Two stores as one while objects are moved from one to the other (move.ts): all that is new goes to the current one,
 * what it lacks is read from the previous one, and what is deleted goes from both.
 */
export function movingStore(current: ObjectStore, previous: ObjectStore): ObjectStore {
  return {
    kind: current.kind,
    uploadOrigin: current.uploadOrigin,
    storageOf: (clientId) => movingStorage(current.storageOf(clientId), previous.storageOf(clientId)),
    async *clientIds() {
      yield* new Set([
        ...(await Array.fromAsync(current.clientIds())),
        ...(await Array.fromAsync(previous.clientIds())),
      ])
    },
    // URLs signed before the move still lead to the disk.
    routes: current.routes ?? previous.routes,
    async check() {
      await current.check()
      await previous.check()
    },
    async close() {
      await current.close()
      await previous.close()
    },
  }
}

function movingStorage(current: Storage, previous: Storage): Storage {
  /** One that was put by a URL from before the move, now in the current store. */
  async function bring(from: string, to: string): Promise<void> {
    const found = await previous.head(from)
    if (!found) throw objectMissing()
    await current.put(to, await previous.read(from), found)
  }

  return {
    presignPut: (key, permit) => current.presignPut(key, permit),
    head: async (key) => (await current.head(key)) ?? previous.head(key),
    read: (key, range) =>
      unlessMissing(
        () => current.read(key, range),
        () => previous.read(key, range),
      ),
    async *scan(key, range, signal) {
      const store = (await current.head(key)) ? current : previous
      yield* store.scan(key, range, signal)
    },
    copy: (from, to) =>
      unlessMissing(
        () => current.copy(from, to),
        () => bring(from, to),
      ),
    join: (parts, to) =>
      unlessMissing(
        () => current.join(parts, to),
        async () => {
          const brought: string[] = []
          try {
            for (const part of parts) {
              if (await current.head(part)) continue
              brought.push(part)
              await bring(part, part)
            }
            await current.join(parts, to)
          } finally {
            // Whoever holds its URL may put it again, and the current store comes first.
            await current.delete(brought)
          }
        },
      ),
    async put(key, body, options) {
      if (options.ifAbsent && (await previous.head(key))) return false
      return current.put(key, body, options)
    },
    // In this order: what is being moved looks back at the previous store last.
    async delete(keys) {
      await previous.delete(keys)
      await current.delete(keys)
    },
    async *list(prefix) {
      for await (const [now, before] of sideBySide(current.list(prefix), previous.list(prefix)))
        yield (now ?? before)!
    },
    localPath: (key) =>
      [current.localPath(key), previous.localPath(key)].find((path) => path && existsSync(path)),
  }
}

async function unlessMissing<Result>(
  work: () => Promise<Result>,
  otherwise: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'object-missing')) throw error
    return otherwise()
  }
}
