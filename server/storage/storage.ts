import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A part of an object: from `start` to `end`, both included, as in an HTTP range. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredObject {
  key: string
  sizeBytes: number
  lastModified: Date
}

/** What a browser needs to be told to put one object: nothing but the URL. */
export interface PutPermit {
  sizeBytes: number
  expiresInSeconds: number
  /** Who is given the URL. A store that is ours takes nothing from it once they may not write any more. */
  holder?: string
}

/** Whether the bytes of this URL are still wanted, and its holder may still bring them. Only a store that is ours can ask. */
export type MayPut = (object: { clientId: string; key: string }, holder: string) => Promise<boolean>

/**
 * One client's part of the bucket. Keys are relative to the client's prefix, so another client's object
 * cannot be named. Every method that fails because the store is out of reach throws `storageUnavailable`.
 * A key is never also the folder of another one (`a` beside `a/b`): a disk could not hold both.
 */
export interface Storage {
  /** A URL that takes exactly one PUT body of exactly `sizeBytes`, and that needs no header repeated. */
  presignPut(key: string, permit: PutPermit): Promise<string>
  head(key: string): Promise<StoredObject | undefined>
  /**
   * Throws `objectMissing` before the first byte if there is no such object. Whoever asked for the stream
   * reads it to the end or destroys it: an open file or a socket of the pool hangs on it.
   */
  read(key: string, range?: ByteRange): Promise<Readable>
  /**
   * The same for whoever is done with a chunk before asking for the next, which may overwrite it. The signal
   * ends it even while the store is silent.
   */
  scan(key: string, range?: ByteRange, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** The new object holds the bytes the old one had at one moment, whatever is put there meanwhile. */
  copy(from: string, to: string): Promise<void>
  /** Joins objects, in order, into one. All but the last have the same size, 5 MiB or more. */
  join(parts: string[], to: string): Promise<void>
  /** With `ifAbsent`, an object that is already there stays, and the answer is false. A stream is used up either way. */
  put(
    key: string,
    body: Uint8Array | Readable,
    options: { sizeBytes: number; ifAbsent?: boolean },
  ): Promise<boolean>
  /** Deleting what is not there is no fault. */
  delete(keys: string[]): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  /** Where the object lies on this machine's disk, for readers that can open a file; undefined on S3. */
  localPath(key: string): string | undefined
}

/** The bucket. Objects are reached through `storageOf` only. */
export interface ObjectStore {
  readonly kind: 'disk' | 's3'
  /** Where browsers put files: a page's own policy must allow it. Null where none can be put. */
  readonly uploadOrigin: string | null
  storageOf(clientId: string): Storage
  /** Every client that has objects, whether or not the database knows it. */
  clientIds(): AsyncIterable<string>
  /** What the app has to mount so that presigned URLs work; only the disk store has any. */
  readonly routes?: (mayPut: MayPut) => (app: FastifyInstance) => Promise<void>
  /** Throws when the store does not answer or refuses us; for `/status` and `/readyz`. */
  check(): Promise<void>
  close(): Promise<void>
}
