import { type Box, boxes } from '../pictures/boxes.ts'
import type { Source } from '../pictures/source.ts'

export interface Place {
  start: number
  end: number
}

/** Tables larger than this are not read: a track of an hour with thirty samples a second has 430 kB. */
const mostTableBytes = 8_000_000

/**
 * Where the samples of an MP4 track lie in the file, chunk by chunk. Undefined when its tables cannot be followed, or, if asked,
 * when they do not say exactly: where all samples are of one size, QuickTime counts the frames of some sounds as one byte.
 */
export async function samplePlaces(
  source: Source,
  track: Box,
  { exactly = false } = {},
): Promise<Place[] | undefined> {
  const stbl = await inside(source, track, ['mdia', 'minf', 'stbl'])
  if (!stbl) return exactly ? undefined : []
  const [offsets, runs, sizes] = await Promise.all([
    offsetsOf(source, stbl),
    tableOf(source, stbl, 'stsc'),
    tableOf(source, stbl, 'stsz'),
  ])
  if (!offsets || !runs || !sizes) return undefined
  const same = word(sizes, 1)
  const count = word(sizes, 2)
  // To go through what a table tells of and does not hold kept all others waiting for 25 s.
  if (same ? exactly : count > sizes.length / 4 - 3) return undefined
  const places: Place[] = []
  let sample = 0
  for (let chunk = 0, run = 0; chunk < offsets.length && sample < count; chunk++) {
    while (word(runs, 2 + (run + 1) * 3) === chunk + 1 && run + 1 < word(runs, 1)) run++
    const inChunk = Math.min(word(runs, 2 + run * 3 + 1), count - sample)
    let bytes = same * inChunk
    if (!same) for (let i = 0; i < inChunk; i++) bytes += word(sizes, 3 + sample + i)
    sample += inChunk
    const start = offsets[chunk]!
    const end = Math.min(start + bytes, source.sizeBytes)
    if (end > start) places.push({ start, end })
  }
  return places
}

export async function inside(source: Source, box: Box, [type, ...rest]: string[]): Promise<Box | undefined> {
  const found = await find(source, box, type!)
  return found && rest.length > 0 ? inside(source, found, rest) : found
}

async function find(source: Source, box: Box, type: string): Promise<Box | undefined> {
  for await (const one of boxes(source, box.start + box.headerBytes, box.end))
    if (one.type === type) return one
  return undefined
}

async function tableOf(source: Source, stbl: Box, type: string): Promise<Buffer | undefined> {
  const box = await find(source, stbl, type)
  if (!box || box.end > source.sizeBytes || box.end - box.start > mostTableBytes) return undefined
  return Buffer.from(await source.read(box.start + box.headerBytes, box.end))
}

async function offsetsOf(source: Source, stbl: Box): Promise<number[] | undefined> {
  const short = await tableOf(source, stbl, 'stco')
  if (short) return Array.from({ length: countOf(short, 4) }, (_, i) => word(short, 2 + i))
  const long = await tableOf(source, stbl, 'co64')
  return long && Array.from({ length: countOf(long, 8) }, (_, i) => Number(long.readBigUInt64BE(8 + i * 8)))
}

/** As many as it says, or as there is room for. */
const countOf = (table: Buffer, bytesEach: number) =>
  Math.min(word(table, 1), Math.floor((table.length - 8) / bytesEach))

/** The 32-bit word at that place after the box's head; the first one holds version and flags. */
const word = (table: Buffer, at: number) => (at * 4 + 4 <= table.length ? table.readUInt32BE(at * 4) : 0)
