/** The bytes to look at: in an object store, or in a file on this machine. */
export interface Source {
  sizeBytes: number
  /** A local file that holds the same bytes, when there is one; decoders then open it themselves. */
  path?: string | undefined
  /** From `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array>
}

export async function readAll(source: Source): Promise<Uint8Array> {
  return source.read(0, source.sizeBytes)
}
