import { buffer } from 'node:stream/consumers'
import type { Source } from '../media/pictures/source.ts'
import type { Storage } from './storage.ts'

/** A stored object as something the decoders can look at. */
export const asSource = (storage: Storage, key: string, sizeBytes: number): Source => ({
  sizeBytes,
  path: storage.localPath(key),
  read: async (start, end) =>
    end > start ? buffer(await storage.read(key, { start, end: end - 1 })) : new Uint8Array(),
})
