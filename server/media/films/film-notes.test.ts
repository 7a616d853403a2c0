import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { openMedia } from '../media.ts'
import { boxes } from '../pictures/boxes.ts'
import type { Source } from '../pictures/source.ts'
import { filmNotes, writeOver } from './film-notes.ts'
import { samplePlaces } from './sample-places.ts'

const folder = new URL('../fixtures/', import.meta.url)
const source = (bytes: Buffer): Source => ({
  sizeBytes: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
})

async function cleaned(bytes: Buffer, from = 0, to = bytes.length, step = 1000): Promise<Buffer> {
  const blots = (await filmNotes(source(bytes)))!
  const chunks = []
  for (let at = from; at < to; at += step) chunks.push(bytes.subarray(at, Math.min(at + step, to)))
  return Buffer.concat(await Readable.from(chunks).pipe(writeOver(blots, from)).toArray())
}

const media = openMedia({ scratchFolder: tmpdir() })
afterAll(() => media.close())

const films = readdirSync(folder).filter(
  (name) => /\.mp4$/.test(name) && !/^(impostor|truncated|fuzz|audio-only)/.test(name),
)

test.each(films)('%s plays the same and says no more', async (name) => {
  const bytes = readFileSync(new URL(name, folder))
  const clean = await cleaned(bytes)
  expect(clean.length).toBe(bytes.length)
  const before = await media.inspect(source(bytes), 'video/mp4')
  expect(await media.inspect(source(clean), 'video/mp4')).toEqual({
    ...before,
    capturedAt: null,
    hasGps: false,
  })
  expect(await filmNotes(source(clean))).toEqual([])
  for (const note of ['+48.8584', 'Lavf', 'Canon', 'Apple']) expect(clean.includes(note)).toBe(false)
})

test('no brand goes out that a target could take for another type', async () => {
  const bytes = readFileSync(new URL('impostor-quicktime.mp4', folder))
  const clean = await cleaned(bytes)
  expect([bytes.includes('qt  '), clean.includes('qt  ')]).toEqual([true, false])
  expect(await media.inspect(source(clean), 'video/mp4')).toMatchObject({
    videoCodec: 'h264',
    audioCodec: 'aac',
  })
  expect(await filmNotes(source(clean))).toEqual([])
})

test('what no player knows by name says nothing more, wherever it lies', async () => {
  const bytes = readFileSync(new URL('moov-at-end.mp4', folder))
  const before = await media.inspect(source(bytes), 'video/mp4')
  const note = (type: string) => box(type, Buffer.from('$GPRMC,4851.46,N'))
  const noted = (film: Buffer, path: string[]): Buffer =>
    Buffer.concat(
      tops(film).flatMap((one) => {
        if (one.type !== path[0]) return [one.whole]
        const body = one.whole.subarray(8)
        return [
          box(one.type, path.length > 1 ? noted(body, path.slice(1)) : Buffer.concat([body, note('gpsx')])),
        ]
      }),
    )
  // Behind the samples, so that they stay where the tables say.
  const isLast = (type: string) => bytes.lastIndexOf(type, undefined, 'latin1')
  expect(isLast('moov'), 'the tables come last').toBeGreaterThan(isLast('mdat'))
  const films = [
    ['moov'],
    ['moov', 'trak'],
    ['moov', 'trak', 'mdia'],
    ['moov', 'trak', 'mdia', 'minf'],
    ['moov', 'trak', 'mdia', 'minf', 'stbl'],
  ].map((path) => noted(bytes, path))
  films.push(
    Buffer.concat([bytes, note('gps0'), note('sefd')]),
    Buffer.concat([bytes, Buffer.from('\0\0\0\0RAWTRAIL $GPRMC,4851.46,N')]),
    Buffer.concat([bytes, Buffer.from('$GPRMC')]),
  )
  const named = Buffer.from(bytes)
  named.write('\x06$GPRMC', named.indexOf('avc1', named.indexOf('stsd')) + 46, 'latin1')
  films.push(named)
  for (const film of films) {
    const clean = await cleaned(film)
    expect([film.includes('$GPRMC'), clean.includes('$GPRMC')]).toEqual([true, false])
    expect(await media.inspect(source(clean), 'video/mp4')).toEqual({
      ...before,
      capturedAt: null,
      hasGps: false,
    })
    expect(await filmNotes(source(clean))).toEqual([])
  }
})

test('what lies among the samples and belongs to none goes, and no sample does', async () => {
  const bytes = readFileSync(new URL('a.mp4', folder))
  const mdat = tops(bytes).find(({ type }) => type === 'mdat')!
  const hidden = Buffer.from('$GPRMC,4851.46,N')
  const at = mdat.start + mdat.whole.length
  const film = Buffer.concat([bytes.subarray(0, at), hidden, bytes.subarray(at)])
  film.writeUInt32BE(mdat.whole.length + hidden.length, mdat.start)
  const clean = await cleaned(film)
  expect(clean.includes('$GPRMC')).toBe(false)
  expect(clean.subarray(mdat.start + 8, at)).toEqual(bytes.subarray(mdat.start + 8, at))
})

const box = (type: string, body: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

function tops(bytes: Buffer): { type: string; start: number; whole: Buffer }[] {
  const found = []
  for (let start = 0; start + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(start)
    found.push({
      type: bytes.toString('latin1', start + 4, start + 8),
      start,
      whole: bytes.subarray(start, start + size),
    })
    start += size
  }
  return found
}

test('any part of it is the same as that part of the whole', async () => {
  const bytes = readFileSync(new URL('gps.mp4', folder))
  const whole = await cleaned(bytes)
  expect(whole.equals(bytes)).toBe(false)
  for (const [from, to, step] of [
    [0, 1, 1],
    [bytes.length - 700, bytes.length, 7],
    [33, bytes.length - 1, 64],
  ] as const)
    expect((await cleaned(bytes, from, to, step)).equals(whole.subarray(from, to))).toBe(true)
})

test('a track that is neither picture nor sound goes, with its samples', async () => {
  const bytes = readFileSync(new URL('a.mp4', folder))
  const told = Buffer.from(bytes)
  told.write('meta', told.indexOf('soun', 0, 'latin1'), 'latin1')
  const clean = await cleaned(told)
  const before = await media.inspect(source(bytes), 'video/mp4')
  expect(before.audioCodec).toBe('aac')
  expect(await media.inspect(source(clean), 'video/mp4')).toEqual({ ...before, audioCodec: null })

  const samples = await (async () => {
    for await (const moov of boxes(source(bytes), 0, bytes.length))
      if (moov.type === 'moov')
        for await (const box of boxes(source(bytes), moov.start + 8, moov.end))
          if (box.type === 'trak' && bytes.subarray(box.start, box.end).includes('soun'))
            return samplePlaces(source(bytes), box)
    return undefined
  })()
  expect(samples!.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(1000)
  for (const { start, end } of samples!) {
    expect(bytes.subarray(start, end).some((byte) => byte !== 0)).toBe(true)
    expect(clean.subarray(start, end).every((byte) => byte === 0)).toBe(true)
  }
  const posters = await Promise.all(
    [bytes, clean].map((film) =>
      media.previews(source(film), 'video/mp4', [{ size: 'thumb', format: 'webp' }]),
    ),
  )
  expect(Buffer.from(posters[0]!.pictures[0]!.bytes)).toEqual(Buffer.from(posters[1]!.pictures[0]!.bytes))
})

test('a table that tells of more samples than it has sizes of is not followed', async () => {
  const words = (...numbers: number[]) => {
    const body = Buffer.alloc(4 * numbers.length)
    for (const [at, number] of numbers.entries()) body.writeUInt32BE(number, 4 * at)
    return body
  }
  const placesOf = (told: number) => {
    const tables = [
      box('stco', words(0, 1, 8)),
      box('stsc', words(0, 1, 1, told, 1)),
      box('stsz', words(0, 0, told, 20, 30, 40)),
    ]
    const track = ['stbl', 'minf', 'mdia', 'trak'].reduce(
      (body, type) => box(type, body),
      Buffer.concat(tables),
    )
    return samplePlaces(source(track), { type: 'trak', start: 0, end: track.length, headerBytes: 8 })
  }
  expect(await placesOf(3)).toEqual([{ start: 8, end: 98 }])
  expect(await placesOf(4)).toBeUndefined()
})

test('what cannot be followed to its end is told to be so', async () => {
  const bytes = readFileSync(new URL('a.mp4', folder))
  expect(await filmNotes(source(bytes.subarray(0, 40)))).toBeUndefined()
  const fragmented = readFileSync(new URL('fragmented.mp4', folder))
  const told = Buffer.from(fragmented)
  told.write('meta', told.indexOf('soun', 0, 'latin1'), 'latin1')
  expect(await filmNotes(source(told))).toBeUndefined()
})
