import type { Readable } from 'node:stream'
import { type Metrics, timed } from '../metrics.ts'
import { Problem } from '../problems.ts'
import type { Tracer } from '../tracing.ts'
import type { ByteRange, ObjectStore, PutPermit, Storage, StoredObject } from './storage.ts'

/** The same store, telling how often it is called, how long it takes and how that ends. */
export function measuredStore(store: ObjectStore, metrics: Metrics, tracer: Tracer): ObjectStore {
  const watch: Watch = (op, work) =>
    tracer.within(`storage ${op}`, { kind: 'client', attributes: { 'storage.system': store.kind } }, () =>
      timed(work, (seconds, error) =>
        metrics.storageSeconds.observe({ op, outcome: outcomeOf(error) }, seconds),
      ),
    )
  return {
    ...store,
    storageOf: (clientId) => new MeasuredStorage(store.storageOf(clientId), watch),
    check: () => watch('check', () => store.check()),
  }
}

type Watch = <T>(op: string, work: () => Promise<T>) => Promise<T>

// That an object is not there is an answer like any other.
const outcomeOf = (error: unknown) =>
  error === undefined
    ? 'ok'
    : error instanceof Problem && error.code === 'object-missing'
      ? 'missing'
      : 'error'

/** A class, for one is made for every request. */
class MeasuredStorage implements Storage {
  readonly #storage: Storage
  readonly #watch: Watch

  constructor(storage: Storage, watch: Watch) {
    this.#storage = storage
    this.#watch = watch
  }

  /** A signature is reckoned here; the store is not asked. */
  presignPut(key: string, permit: PutPermit): Promise<string> {
    return this.#storage.presignPut(key, permit)
  }

  head(key: string): Promise<StoredObject | undefined> {
    return this.#watch('head', () => this.#storage.head(key))
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return this.#watch('read', () => this.#storage.read(key, range))
  }

  copy(from: string, to: string): Promise<void> {
    return this.#watch('copy', () => this.#storage.copy(from, to))
  }

  join(parts: string[], to: string): Promise<void> {
    return this.#watch('join', () => this.#storage.join(parts, to))
  }

  put(
    key: string,
    body: Uint8Array | Readable,
    options: { sizeBytes: number; ifAbsent?: boolean },
  ): Promise<boolean> {
    return this.#watch('put', () => this.#storage.put(key, body, options))
  }

  delete(keys: string[]): Promise<void> {
    return this.#watch('delete', () => this.#storage.delete(keys))
  }

  /** Measured until the first is found: how long the rest takes is up to whoever asks for it. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const found = this.#storage.list(prefix)[Symbol.asyncIterator]()
    try {
      let next = await this.#watch('list', () => found.next())
      for (; !next.done; next = await found.next()) yield next.value
    } finally {
      await found.return?.()
    }
  }

  localPath(key: string): string | undefined {
    return this.#storage.localPath(key)
  }
}
