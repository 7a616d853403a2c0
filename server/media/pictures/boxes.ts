import type { Source } from './source.ts'

// HEIC and MP4 are rows of boxes, each of which says how long it is. Only their first bytes are read here.

export interface Box {
  type: string
  start: number
  /** Past the end of the file if the file is cut short. */
  end: number
  headerBytes: number
}

/** Boxes that hold the picture or the video: if one of them reaches past the end, the file is cut short. */
const essential = ['mdat', 'moov', 'moof', 'meta']

export async function boxesAreWhole(source: Source): Promise<boolean> {
  for await (const { type, end } of boxes(source, 0, source.sizeBytes)) {
    if (end > source.sizeBytes) return !essential.includes(type)
  }
  return true
}

/** When the camera began to write an MP4, by its `mvhd`; many programs leave it empty. */
export async function creationTime(source: Source): Promise<Date | undefined> {
  const moov = await find(source, 'moov', 0, source.sizeBytes)
  const mvhd = moov && (await find(source, 'mvhd', moov.start + moov.headerBytes, moov.end))
  if (!mvhd) return undefined
  const at = mvhd.start + mvhd.headerBytes
  const head = Buffer.from(await source.read(at, Math.min(at + 12, source.sizeBytes)))
  if (head.length < 12) return undefined
  const seconds = head[0] === 1 ? Number(head.readBigUInt64BE(4)) : head.readUInt32BE(4)
  const time = new Date((seconds - secondsFrom1904To1970) * 1000)
  return time.getTime() > Date.UTC(1990, 0) && time.getTime() < Date.UTC(2100, 0) ? time : undefined
}

const secondsFrom1904To1970 = 2_082_844_800

async function find(source: Source, type: string, start: number, end: number): Promise<Box | undefined> {
  for await (const box of boxes(source, start, end)) if (box.type === type) return box
  return undefined
}

/** Each step may be a request to the store, so a video in thousands of fragments is not followed to its end. */
const mostSteps = 256

export async function* boxes(
  source: Source,
  from: number,
  to: number,
  most = mostSteps,
): AsyncGenerator<Box> {
  for (let start = from, steps = 0; start + 8 <= Math.min(to, source.sizeBytes) && steps < most; steps++) {
    const head = Buffer.from(await source.read(start, Math.min(start + 16, source.sizeBytes)))
    const size = sizeOf(head) ?? to - start
    const box = {
      type: head.toString('latin1', 4, 8),
      start,
      end: start + size,
      headerBytes: head.readUInt32BE(0) === 1 ? 16 : 8,
    }
    yield box
    start = box.end
  }
}

/** Undefined: to the end of what holds it, or nothing that could be followed. */
function sizeOf(head: Buffer): number | undefined {
  const size = head.readUInt32BE(0)
  if (size >= 8) return size
  if (size !== 1 || head.length < 16) return undefined
  const long = Number(head.readBigUInt64BE(8))
  return long >= 16 ? long : undefined
}
