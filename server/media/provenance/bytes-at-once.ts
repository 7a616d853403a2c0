import { closeSync, openSync, readSync } from 'node:fs'
import { readAll, type Source } from '../pictures/source.ts'

/** Bytes as the C2PA library wants them, which is written for browsers: a part of a blob, read while everything waits. */
export interface BytesAtOnce {
  size: number
  slice(start: number, end: number): BytesAtOnce
  read(): Uint8Array<ArrayBuffer>
}

/** Of a longer part it gets the beginning, and asks again: a film is not held whole. */
const mostAtOnce = 4 * 1024 ** 2

export const heldBytes = (bytes: Uint8Array): BytesAtOnce => ({
  size: bytes.length,
  slice: (start, end) => heldBytes(bytes.subarray(start, Math.min(end, start + mostAtOnce))),
  read: () => new Uint8Array(bytes),
})

const fileBytes = (file: number, from: number, size: number): BytesAtOnce => ({
  size,
  slice: (start, end) =>
    fileBytes(file, from + start, Math.max(0, Math.min(size, end, start + mostAtOnce) - start)),
  read() {
    const bytes = new Uint8Array(size)
    return bytes.subarray(0, readSync(file, bytes, 0, size, from))
  },
})

/** A file on this machine is read as it is asked for; what comes from a store is held. */
export async function withBytes<T>(source: Source, use: (bytes: BytesAtOnce) => Promise<T>): Promise<T> {
  if (!source.path) return use(heldBytes(await readAll(source)))
  const file = openSync(source.path, 'r')
  try {
    return await use(fileBytes(file, 0, source.sizeBytes))
  } finally {
    closeSync(file)
  }
}

/** Takes the place of the browser's own. */
export class FileReaderSync {
  readAsArrayBuffer(part: BytesAtOnce): ArrayBuffer {
    const bytes = part.read()
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
  }
}
