/** The bytes to look at: in an object store, or in a file on this machine. */
export interface Source {
  sizeBytes: number
  /** A local file that holds the same bytes, when there is one; decoders then open it themselves. */
  path?: string | undefined
  /** From `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array>
  /** A copy that lies on this machine, whole, for as long as it is held. */
  lend?(): LentFile | undefined
}

export interface LentFile extends Disposable {
  path: string
}

/** No more than this crosses from one process to another at once, so that neither stands still meanwhile. */
const stepBytes = 8 * 1024 * 1024

export async function readAll(source: Source): Promise<Uint8Array> {
  if (source.sizeBytes <= stepBytes) return source.read(0, source.sizeBytes)
  const all = new Uint8Array(source.sizeBytes)
  for (let start = 0; start < source.sizeBytes; start += stepBytes) {
    all.set(await source.read(start, Math.min(source.sizeBytes, start + stepBytes)), start)
  }
  return all
}

/** The same, for many small reads close to each other: a store is asked for a window at a time, which costs more than a look at a file. */
export function windowed(source: Source, windowBytes = source.path ? 16 * 1024 : 256 * 1024): Source {
  let start = 0
  let held: Uint8Array = new Uint8Array()
  return {
    ...source,
    async read(from, to) {
      if (to - from > windowBytes) return source.read(from, to)
      if (from < start || to > start + held.length) {
        held = await source.read(from, Math.min(source.sizeBytes, from + windowBytes))
        start = from
      }
      return held.subarray(from - start, to - start)
    },
  }
}

export const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
