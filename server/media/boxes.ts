import type { Source } from './source.ts'

/** Boxes that hold the picture or the film: if one of them reaches past the end, the file is cut short. */
const essential = ['mdat', 'moov', 'moof', 'meta', 'mdia']

/** HEIC and MP4 are rows of boxes, each of which says how long it is. Only their first bytes are read. */
export async function boxesAreWhole(source: Source): Promise<boolean> {
  for (let at = 0, count = 0; at + 8 <= source.sizeBytes && count < 10_000; count++) {
    const head = Buffer.from(await source.read(at, Math.min(at + 16, source.sizeBytes)))
    const type = head.toString('latin1', 4, 8)
    const size = sizeOf(head)
    if (size === undefined) return true // to the end of the file, or nothing that could be followed
    if (at + size > source.sizeBytes) return !essential.includes(type)
    at += size
  }
  return true
}

function sizeOf(head: Buffer): number | undefined {
  const size = head.readUInt32BE(0)
  if (size >= 8) return size
  if (size === 1 && head.length === 16) {
    const long = Number(head.readBigUInt64BE(8))
    return long >= 16 ? long : undefined
  }
  return undefined
}
