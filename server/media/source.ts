/** The bytes to look at: in an object store, or in a file on this machine. */
export interface Source {
  sizeBytes: number
  /** A local file that holds the same bytes, when there is one; decoders then open it themselves. */
  path?: string | undefined
  /** From `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array>
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
