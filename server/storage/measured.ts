import type { Readable } from 'node:stream'
import { Problem } from '../problems.ts'
import { type Metrics, timed } from '../telemetry/metrics.ts'
import type { Tracer } from '../telemetry/tracing.ts'
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

  /** Signing asks nothing of the store. */
  presignPut(key: string, permit: PutPermit): Promise<string> {
    return this.#storage.presignPut(key, permit)
  }

  head(key: string): Promise<StoredObject | undefined> {
    return this.#watch('head', () => this.#storage.head(key))
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return this.#watch('read', () => this.#storage.read(key, range))
  }

  scan(key: string, range?: ByteRange, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#untilFirst('read', this.#storage.scan(key, range, signal))
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

  list(prefix: string): AsyncGenerator<StoredObject> {
    return this.#untilFirst('list', this.#storage.list(prefix))
  }

  /** Measured until the first is there: how long the rest takes is up to whoever asks for it. */
  async *#untilFirst<T>(op: string, all: AsyncIterable<T>): AsyncGenerator<T> {
    const each = all[Symbol.asyncIterator]()
    try {
      let next = await this.#watch(op, () => each.next())
      for (; !next.done; next = await each.next()) yield next.value
    } finally {
      await each.return?.()
    }
  }

  localPath(key: string): string | undefined {
    return this.#storage.localPath(key)
  }
}
