import { crc32 } from 'node:zlib'
import {
  descriptor,
  descriptorLength,
  directoryRecord,
  endOfDirectory,
  hasDescriptor,
  knownCrc,
  localHeader,
  localLength,
  recordLength,
  type ZipEntry,
} from './zip-format.ts'

export type { ZipEntry }

/** A part of the archive or of an entry: from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

export type ScanEntry = (index: number, range: ByteRange) => AsyncIterable<Uint8Array>

export interface ZipPlan {
  /** Of the whole archive, to the byte. */
  length: number
  /**
   * Throws rather than end early: whoever sends this on must then break the connection. A chunk holds until
   * the next one is asked for, no longer.
   */
  bytes(scan: ScanEntry, range?: ByteRange): AsyncGenerator<Uint8Array>
}

/** Something of the archive whose length is known before its bytes are. */
interface Piece {
  length: number
  bytes(from: number, to: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** An archive that stores and does not deflate, so that all lengths follow from the names and sizes. */
export function planZip(entries: ZipEntry[]): ZipPlan {
  const offsets = new Float64Array(entries.length + 1)
  entries.forEach((entry, index) => {
    offsets[index + 1] = offsets[index]! + localLength(entry) + entry.sizeBytes + descriptorLength(entry)
  })
  const directoryStart = offsets[entries.length]!
  const directoryLength = entries.reduce((sum, entry, index) => sum + recordLength(entry, offsets[index]!), 0)
  const end = endOfDirectory(entries.length, directoryStart, directoryLength)
  const length = directoryStart + directoryLength + end.length

  const learned = new Map<number, number>()
  const plan: Plan = { entries, offsets, end, learned }

  async function* chunks(scan: ScanEntry, { start, end }: ByteRange = { start: 0, end: length - 1 }) {
    let at = 0
    for (const piece of piecesOf(plan, scan)) {
      if (at > end) return
      const from = Math.max(start - at, 0)
      const to = Math.min(end + 1 - at, piece.length)
      if (from < to) yield* piece.bytes(from, to)
      at += piece.length
    }
  }

  return { length, bytes: (scan, range) => inLargerChunks(chunks(scan, range)) }
}

interface Plan {
  entries: ZipEntry[]
  offsets: Float64Array
  end: Buffer
  learned: Map<number, number>
}

function* piecesOf({ entries, offsets, end, learned }: Plan, scan: ScanEntry): Generator<Piece> {
  const bodyOf = (index: number, from: number, to: number) =>
    exactBody(entries[index]!, index, from, to, scan)

  async function crcOf(index: number): Promise<number> {
    const known = knownCrc(entries[index]!) ?? learned.get(index)
    if (known !== undefined) return known
    for await (const _ of learning(index, 0)) {
    }
    return learned.get(index)!
  }

  /** Reads from the first byte, because the checksum needs them all, and keeps back what was not asked for. */
  async function* learning(index: number, from: number) {
    let seen = 0
    let crc = 0
    for await (const chunk of bodyOf(index, 0, entries[index]!.sizeBytes)) {
      crc = crc32(chunk, crc)
      seen += chunk.length
      if (seen > from) yield chunk.subarray(Math.max(chunk.length - (seen - from), 0))
    }
    learned.set(index, crc)
  }

  for (const [index, entry] of entries.entries()) {
    yield piece(localLength(entry), () => localHeader(entry))
    yield {
      length: entry.sizeBytes,
      bytes: (from, to) =>
        hasDescriptor(entry) && to === entry.sizeBytes ? learning(index, from) : bodyOf(index, from, to),
    }
    yield piece(descriptorLength(entry), async () => descriptor(entry, await crcOf(index)))
  }
  for (const [index, entry] of entries.entries()) {
    const offset = offsets[index]!
    yield piece(recordLength(entry, offset), async () => directoryRecord(entry, offset, await crcOf(index)))
  }
  yield piece(end.length, () => end)
}

const piece = (length: number, make: () => Buffer | Promise<Buffer>): Piece => ({
  length,
  async *bytes(from, to) {
    yield (await make()).subarray(from, to)
  },
})

async function* exactBody(entry: ZipEntry, index: number, from: number, to: number, scan: ScanEntry) {
  let left = to - from
  for await (const chunk of scan(index, { start: from, end: to - 1 })) {
    left -= chunk.length
    if (left < 0) throw new Error(`${entry.name} has more bytes than the ${entry.sizeBytes} it should have.`)
    yield chunk
  }
  if (left > 0) throw new Error(`${entry.name} ended ${left} bytes early.`)
}

/** Gathers headers and small files; what is large already goes through as it is. */
async function* inLargerChunks(chunks: AsyncIterable<Uint8Array>, large = 16 * 1024) {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    const passes = chunk.length >= large
    if (!passes) {
      held.push(Uint8Array.from(chunk))
      heldBytes += chunk.length
    }
    if (heldBytes > 0 && (passes || heldBytes >= large)) {
      yield Buffer.concat(held)
      held = []
      heldBytes = 0
    }
    if (passes) yield chunk
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
