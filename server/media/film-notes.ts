import { Transform } from 'node:stream'
import { type Box, boxes } from './boxes.ts'
import type { Source } from './source.ts'

/** Bytes of a film to write over: with these, or with nothing but zeros. */
export interface Blot {
  start: number
  end: number
  with?: Buffer
}

/** Boxes that say who took the film, when, where and with what. Nothing that plays it needs them. */
const notes = ['udta', 'meta', 'uuid']
/** Boxes that begin with when it was made and changed. */
const dated = ['mvhd', 'tkhd', 'mdhd']
const within = ['moov', 'trak', 'mdia']

/**
 * Where an MP4 says more than it shows, to be written over without moving a byte, so every offset in it stays
 * true. Undefined when it says so in a track of its own, or cannot be followed.
 */
export async function filmNotes(source: Source): Promise<Blot[] | undefined> {
  const blots: Blot[] = []
  let found = false
  const walk = async (from: number, to: number): Promise<boolean> => {
    for await (const box of boxes(source, from, to)) {
      const body = box.start + box.headerBytes
      if (box.end > source.sizeBytes) return false
      if (box.type === 'moov') found = true
      if (box.type === 'hdlr' && (await text(source, body + 8)) === 'meta') return false
      if (notes.includes(box.type) && box.end > body) blots.push(...blanked(box))
      if (dated.includes(box.type)) blots.push(...(await undated(source, body)))
      if (within.includes(box.type) && !(await walk(body, box.end))) return false
    }
    return true
  }
  return (await walk(0, source.sizeBytes)) && found ? blots : undefined
}

/** The film's bytes from `offset` on, written over. */
export function writeOver(blots: Blot[], offset: number): Transform {
  let at = offset
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const [from, to] = [at, at + chunk.length]
      at = to
      const touched = blots.filter(({ start, end }) => start < to && end > from)
      if (touched.length === 0) return done(null, chunk)
      const copy = Buffer.from(chunk)
      for (const { start, end, with: bytes } of touched) {
        const [first, last] = [Math.max(start, from), Math.min(end, to)]
        if (bytes) bytes.copy(copy, first - from, first - start, last - start)
        else copy.fill(0, first - from, last - from)
      }
      done(null, copy)
    },
  })
}

const blanked = ({ start, end, headerBytes }: Box): Blot[] => [
  { start: start + 4, end: start + 8, with: Buffer.from('free', 'latin1') },
  { start: start + headerBytes, end },
]

/** Version and flags, then two times: four bytes each, or eight in version 1. */
async function undated(source: Source, body: number): Promise<Blot[]> {
  const head = Buffer.from(await source.read(body, Math.min(body + 20, source.sizeBytes)))
  const times = head.subarray(4, head[0] === 1 ? 20 : 12)
  return times.some((byte) => byte !== 0) ? [{ start: body + 4, end: body + 4 + times.length }] : []
}

const text = async (source: Source, start: number) =>
  Buffer.from(await source.read(start, Math.min(start + 4, source.sizeBytes))).toString('latin1')
