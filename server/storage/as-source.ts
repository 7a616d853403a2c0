import { buffer } from 'node:stream/consumers'
import type { Scratch, StoredSource } from './scratch.ts'
import type { Storage } from './storage.ts'

interface Stored {
  clientId: string
  storage: Storage
  scratch: Scratch
}

/** A stored object as something the decoders can look at. One that is not on this machine's disk is read from its store once. */
export function asSource(
  { clientId, storage, scratch }: Stored,
  key: string,
  sizeBytes: number,
): StoredSource {
  const stored = {
    sizeBytes,
    path: storage.localPath(key),
    read: async (start: number, end: number) =>
      end > start ? buffer(await storage.read(key, { start, end: end - 1 })) : new Uint8Array(),
    scan: () => storage.scan(key),
  }
  return stored.path ? { ...stored, release() {} } : scratch.kept(`${clientId}/${key}`, stored)
}
