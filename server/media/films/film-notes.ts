import { Transform } from 'node:stream'
import { type Box, boxes } from '../pictures/boxes.ts'
import { type Source, windowed } from '../pictures/source.ts'
import { boxBody } from '../provenance/kept-marks.ts'
import { inside as boxInside, type Place, samplePlaces } from './sample-places.ts'

/** Bytes of a film to write over: with these, or with nothing but zeros. */
export interface Blot {
  start: number
  end: number
  with?: Buffer
}

/**
 * What plays a film, by the box that holds it. Whatever else cameras and programs put there says who took it, when,
 * where and with what, under names that nobody has a list of.
 */
const ofSamples = ['sdtp', 'sbgp', 'sgpd', 'subs', 'saiz', 'saio', 'senc']
const playing: Record<string, readonly string[]> = {
  '': ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'mfra', 'sidx', 'ssix'],
  moov: ['mvhd', 'iods', 'trak', 'mvex'],
  trak: ['tkhd', 'edts', 'mdia', 'tapt'],
  tapt: ['clef', 'prof', 'enof'],
  edts: ['elst'],
  mdia: ['mdhd', 'hdlr', 'elng', 'minf'],
  minf: ['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl'],
  dinf: ['dref'],
  stbl: [
    'stsd',
    'stts',
    'ctts',
    'cslg',
    'stsc',
    'stsz',
    'stz2',
    'stco',
    'co64',
    'stss',
    'stps',
    ...ofSamples,
  ],
  mvex: ['mehd', 'trex', 'leva'],
  moof: ['mfhd', 'traf'],
  traf: ['tfhd', 'tfdt', 'trun', ...ofSamples],
  mfra: ['tfra', 'mfro'],
}
/** Boxes that begin with when it was made and changed. */
const dated = ['mvhd', 'tkhd', 'mdhd']
/** Other tracks are written by cameras: places, speeds, and such as subtitles. */
const shown = ['vide', 'soun']

/** A film in more pieces than this is not followed. */
const mostBoxes = 4_000

/**
 * Where an MP4 says more than it shows, to be written over without moving a byte, so every offset in it stays
 * true. Undefined when it cannot be followed. Where it says what must stay, a packet of XMP is put in the place of all else.
 */
export async function filmNotes(original: Source, packet?: string): Promise<Blot[] | undefined> {
  const source = windowed(original)
  const blots: Blot[] = []
  let isFragmented = false
  let hidesTrack = false
  let found = false
  let isMarked = false
  const films: Box[] = []
  const used: (Place[] | undefined)[] = []
  const walk = async (from: number, to: number, inside = ''): Promise<boolean> => {
    let reached = from
    for await (const box of boxes(source, from, to, mostBoxes)) {
      const body = box.start + box.headerBytes
      reached = box.end
      if (box.end > source.sizeBytes) return false
      if (box.type === 'moov') found = true
      if (box.type === 'ftyp') blots.push(...(await renamed(source, box)))
      if (box.type === 'mvex') isFragmented = true
      if (box.type === 'mdat') films.push(box)
      const marks = isMarked ? undefined : markedOver(box, packet)
      isMarked ||= marks !== undefined
      if (marks) blots.push(...marks)
      else if (!playing[inside]!.includes(box.type)) {
        blots.push(...(await blanked(source, box)))
        continue
      }
      if (dated.includes(box.type)) blots.push(...(await undated(source, body)))
      if (box.type === 'trak' && !shown.includes((await handlerOf(source, box)) ?? '')) {
        const places = await samplePlaces(source, box)
        if (!places) return false
        hidesTrack = true
        used.push(places)
        blots.push(...(await blanked(source, box)), ...places)
        continue
      }
      if (box.type === 'trak') {
        used.push(await samplePlaces(source, box, { exactly: true }))
        blots.push(...(await encoderName(source, box)))
      }
      if (playing[box.type] && !(await walk(body, box.end, box.type))) return false
    }
    // What is too short for a box.
    if (reached > to - 8 && reached < to && (await saysSomething(source, reached, to)))
      blots.push({ start: reached, end: to })
    return reached > to - 8
  }
  if (!(await walk(0, source.sizeBytes)) || !found) return undefined
  // The samples of a fragmented film are told of by each of its fragments.
  if (hidesTrack && isFragmented) return undefined
  if (!isFragmented && used.every((places) => places !== undefined))
    for (const film of films) blots.push(...(await unused(source, film, used.flat() as Place[])))
  return blots.sort((a, b) => a.start - b.start)
}

/** Of a picture track, what program or camera wrote it: 32 bytes in the middle of its first description. */
async function encoderName(source: Source, track: Box): Promise<Blot[]> {
  const stsd = await boxInside(source, track, ['mdia', 'minf', 'stbl', 'stsd'])
  if (!stsd || (await handlerOf(source, track)) !== 'vide') return []
  const start = stsd.start + stsd.headerBytes + 58
  const end = start + 32
  return end <= stsd.end && (await saysSomething(source, start, end)) ? [{ start, end }] : []
}

/** What lies between the samples of all tracks belongs to none. */
async function unused(source: Source, { start, end, headerBytes }: Box, used: Place[]): Promise<Blot[]> {
  const gaps: Blot[] = []
  let reached = start + headerBytes
  for (const place of [...used, { start: end, end }].sort((a, b) => a.start - b.start)) {
    const gap = { start: reached, end: Math.min(place.start, end) }
    if (gap.end > gap.start && (await saysSomething(source, gap.start, gap.end))) gaps.push(gap)
    reached = Math.max(reached, place.end)
  }
  return gaps
}

/** A box that held XMP or a manifest has room for less of it; the rest is blank. */
function markedOver({ type, start, end, headerBytes }: Box, packet: string | undefined): Blot[] | undefined {
  if (type !== 'uuid' || packet === undefined) return undefined
  const body = start + headerBytes
  const over = boxBody(packet)
  const reached = body + over.length
  return reached <= end
    ? [
        { start: body, end: reached, with: over },
        { start: reached, end },
      ]
    : undefined
}

/** The film's bytes from `offset` on, written over. */
export function writeOver(blots: Blot[], offset: number): Transform {
  let at = offset
  let next = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const [from, to] = [at, at + chunk.length]
      at = to
      while (next < blots.length && blots[next]!.end <= from) next++
      let copy: Buffer | undefined
      for (let i = next; i < blots.length && blots[i]!.start < to; i++) {
        const { start, end, with: bytes } = blots[i]!
        const [first, last] = [Math.max(start, from), Math.min(end, to)]
        if (first >= last) continue
        copy ??= Buffer.from(chunk)
        if (bytes) bytes.copy(copy, first - from, first - start, last - start)
        else copy.fill(0, first - from, last - from)
      }
      done(null, copy ?? chunk)
    },
  })
}

/** Targets go by the brand, and some take QuickTime's for another type than the MP4 that it is sent as. */
async function renamed(source: Source, { start, end, headerBytes }: Box): Promise<Blot[]> {
  const body = start + headerBytes
  const brands = Buffer.from(await source.read(body, Math.min(end, body + 512))).toString('latin1')
  return [...Array(brands.length >> 2).keys()]
    .filter((i) => i !== 1 && brands.slice(i * 4, i * 4 + 4) === 'qt  ')
    .map((i) => ({ start: body + i * 4, end: body + i * 4 + 4, with: Buffer.from('mp42', 'latin1') }))
}

/** Nothing to do for a box that is blank already: what went out once can go out again as it is. */
async function blanked(source: Source, { type, start, end, headerBytes }: Box): Promise<Blot[]> {
  const body = start + headerBytes
  const named: Blot[] =
    type === 'free' ? [] : [{ start: start + 4, end: start + 8, with: Buffer.from('free', 'latin1') }]
  return end > body && (await saysSomething(source, body, end)) ? [...named, { start: body, end }] : named
}

const pieceBytes = 64 * 1024
/** What is longer is written over without a look. */
const mostLooked = 1024 * 1024

async function saysSomething(source: Source, start: number, end: number): Promise<boolean> {
  if (end - start > mostLooked) return true
  for (let at = start; at < end; at += pieceBytes)
    if ((await source.read(at, Math.min(end, at + pieceBytes))).some((byte) => byte !== 0)) return true
  return false
}

async function handlerOf(source: Source, track: Box): Promise<string | undefined> {
  for await (const mdia of boxes(source, track.start + track.headerBytes, track.end)) {
    if (mdia.type !== 'mdia') continue
    for await (const box of boxes(source, mdia.start + mdia.headerBytes, mdia.end))
      if (box.type === 'hdlr') return text(source, box.start + box.headerBytes + 8)
  }
  return undefined
}

/** Version and flags, then two times: four bytes each, or eight in version 1. */
async function undated(source: Source, body: number): Promise<Blot[]> {
  const head = Buffer.from(await source.read(body, Math.min(body + 20, source.sizeBytes)))
  const times = head.subarray(4, head[0] === 1 ? 20 : 12)
  return times.some((byte) => byte !== 0) ? [{ start: body + 4, end: body + 4 + times.length }] : []
}

const text = async (source: Source, start: number) =>
  Buffer.from(await source.read(start, Math.min(start + 4, source.sizeBytes))).toString('latin1')
