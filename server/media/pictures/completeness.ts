import type { StillType } from '../../../contract/media-types.ts'
import { asBuffer, type Source } from './source.ts'

/** Those that sharp decodes. */
export type PictureType = Exclude<StillType, 'image/heic'>

/**
 * Whether a picture reaches the end that its own structure announces. Cut-off files show as half a picture
 * everywhere, so they are told at the door. Bytes after the end are no fault: phones append short videos there.
 */
export function isWhole(source: Source, type: PictureType): Promise<boolean> {
  return ends[type](source)
}

const ends: Record<PictureType, (source: Source) => Promise<boolean>> = {
  'image/jpeg': async (source) => occursAfter(source, await startOfScan(source), Buffer.from([0xff, 0xd9])),
  'image/png': (source) => occursAfter(source, 0, Buffer.from('IEND')),
  'image/webp': reachesRiffSize,
}

/** The end marker cannot occur inside compressed data, but it does in the thumbnail that precedes it. */
async function startOfScan(source: Source): Promise<number> {
  let start = 0
  let window = await windowAt(source, start)
  for (let at = 2; at + 4 <= source.sizeBytes; ) {
    if (at + 4 > start + window.length) {
      start = at
      window = await windowAt(source, start)
    }
    const marker = window[at + 1 - start]!
    if (window[at - start] !== 0xff || marker === 0xda) return at
    at += marker === 0xff ? 1 : 2 + window.readUInt16BE(at + 2 - start)
  }
  return source.sizeBytes
}

async function reachesRiffSize(source: Source): Promise<boolean> {
  const head = await windowAt(source, 0)
  const withoutPadding = source.sizeBytes + 1 // often left out after the last chunk
  return head.length >= 12 && head.readUInt32LE(4) + 8 <= withoutPadding
}

/** From the end backwards, because the mark is nearly always in the last window. */
async function occursAfter(source: Source, first: number, mark: Buffer): Promise<boolean> {
  let step = windowBytes
  for (let end = source.sizeBytes; end > first; ) {
    const start = Math.max(first, end - step)
    const bytes = await source.read(start, Math.min(source.sizeBytes, end + mark.length - 1))
    if (asBuffer(bytes).includes(mark)) return true
    end = start
    step = 4 * 1024 * 1024
  }
  return false
}

const windowBytes = 64 * 1024

const windowAt = async (source: Source, start: number) =>
  asBuffer(await source.read(start, Math.min(source.sizeBytes, start + windowBytes)))
