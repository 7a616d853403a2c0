import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { fixturePath, inMemory } from '../fixtures/fixture.ts'
import { beforePicture, pngChunk } from '../fixtures/png.ts'
import { openMedia } from '../media.ts'
import { toneMap } from './hdr.ts'
import type { Rendition } from './rendition.ts'
import type { Source } from './source.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

type Colour = [red: number, green: number, blue: number]
type Still = 'image/png' | 'image/heic' | 'image/jpeg'

const plainPng = ([r, g, b]: Colour) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()

const cicp = (primaries: number, transfer: number) => pngChunk('cICP', Buffer.of(primaries, transfer, 0, 1))
const marked = async (colour: Colour, primaries: number, transfer: number) =>
  beforePicture(await plainPng(colour), cicp(primaries, transfer))

/** A profile that says nothing but the four numbers. */
function profileOf(primaries: number, transfer: number): Buffer {
  const icc = Buffer.alloc(156)
  icc.writeUInt32BE(icc.length, 0)
  icc.write('mntrRGB XYZ ', 12, 'latin1')
  icc.write('acsp', 36, 'latin1')
  icc.writeUInt32BE(1, 128)
  icc.write('cicp', 132, 'latin1')
  icc.writeUInt32BE(144, 136)
  icc.writeUInt32BE(12, 140)
  icc.write('cicp', 144, 'latin1')
  icc.set([primaries, transfer, 0, 1], 152)
  return icc
}

/** What is shown, and what is sent. */
async function seen(file: Uint8Array, type: Still, x = 5, y = 5) {
  const source = inMemory(file)
  const { colourSpace } = await media.inspect(source, type)
  const { pictures } = await media.previews(source, type, [{ size: 'thumb', format: 'webp' }])
  const sent = await sentAsPng(source, type)
  return {
    colourSpace,
    shown: await colourAt(pictures[0]!.bytes, x, y),
    sent: await colourAt(sent.bytes, x, y),
  }
}

async function sentAsPng(source: Source, type: Still): Promise<Rendition> {
  const { width, height } = await media.inspect(source, type)
  const size = { width, height }
  const sent = await media.rendition(source, type, {
    original: size,
    cut: { left: 0, top: 0, ...size },
    sizes: [size],
    format: 'png',
    qualities: [100],
  })
  return sent as Rendition
}

async function colourAt(picture: Uint8Array, left: number, top: number): Promise<Colour> {
  const pixel = sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha()
  return [...(await pixel.raw().toBuffer())] as Colour
}

function mapped(colour: Colour, ...[transfer, primaries]: [Parameters<typeof toneMap>[1], 'bt2020' | 'p3']) {
  const pixel = Uint8Array.from(colour)
  toneMap({ data: pixel, channels: 3 }, transfer, primaries)
  return [...pixel] as Colour
}

function expectNear(found: Colour, wanted: Colour, most = 8) {
  const off = Math.max(...found.map((value, i) => Math.abs(value - wanted[i]!)))
  expect(off, `${found} for ${wanted}`).toBeLessThanOrEqual(most)
}

test.for([
  ['bt2020 pq', 9, 16, 148],
  ['bt2020 hlg', 9, 18, 191],
  ['p3 pq', 12, 16, 148],
  ['p3 hlg', 12, 18, 191],
] as const)('a white page in a PNG marked as %s is white', async ([name, primaries, transfer, signal]) => {
  const page: Colour = [signal, signal, signal]
  const { colourSpace, shown, sent } = await seen(await marked(page, primaries, transfer), 'image/png')
  expect(colourSpace).toBe(name)
  for (const colour of [shown, sent]) expect(Math.min(...colour)).toBeGreaterThan(205)
  expect((await seen(await plainPng(page), 'image/png')).colourSpace).toBe('srgb')
})

test('which red is meant is seen', async () => {
  const orange: Colour = [170, 130, 90]
  const wide = await seen(await marked(orange, 9, 16), 'image/png')
  const narrower = await seen(await marked(orange, 12, 16), 'image/png')
  expectNear(wide.sent, mapped(orange, 'pq', 'bt2020'), 2)
  expectNear(narrower.sent, mapped(orange, 'pq', 'p3'), 2)
  expect(wide.sent).not.toEqual(narrower.sent)
})

test('sixteen bits a channel and transparency keep their place', async () => {
  const deep = await sharp(await plainPng([148, 148, 148]))
    .ensureAlpha(0.5)
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  const sent = await sentAsPng(inMemory(beforePicture(deep, cicp(9, 16))), 'image/png')
  const [light, , , alpha] = await sharp(sent.bytes).raw().toBuffer()
  expect(light).toBeGreaterThan(205)
  expect(alpha).toBeCloseTo(128, -1)
})

test('a mark of Display P3 does what the profile would', async () => {
  const { colourSpace, sent } = await seen(await marked([220, 40, 40], 12, 13), 'image/png')
  expect(colourSpace).toBe('Display P3')
  expect(sent[0]).toBeGreaterThan(228)
})

test('a JPEG whose profile says PQ is mapped as well', async () => {
  const plain = await sharp(await plainPng([148, 148, 148]))
    .jpeg({ quality: 100 })
    .toBuffer()
  const icc = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profileOf(9, 16)])
  const head = Buffer.of(0xff, 0xe2, 0, icc.length + 2)
  const file = Buffer.concat([plain.subarray(0, 2), head, icc, plain.subarray(2)])
  const { colourSpace, shown, sent } = await seen(file, 'image/jpeg')
  expect(colourSpace).toBe('bt2020 pq')
  for (const colour of [shown, sent]) expect(Math.min(...colour)).toBeGreaterThan(205)
})

test.for([
  ['bt2020 pq', 9, 16],
  ['bt2020 hlg', 9, 18],
] as const)('a HEIC marked as %s is mapped', async ([name, primaries, transfer]) => {
  const heic = readFileSync(fixturePath('mif1-major.heic'))
  const before = await seen(heic, 'image/heic')
  heic.writeUInt16BE(primaries, heic.indexOf('nclx') + 4)
  heic.writeUInt16BE(transfer, heic.indexOf('nclx') + 6)
  const { colourSpace, shown, sent } = await seen(heic, 'image/heic')
  expect(before.colourSpace).toBe('srgb')
  expect(colourSpace).toBe(name)
  const wanted = mapped(before.sent, transfer === 16 ? 'pq' : 'hlg', 'bt2020')
  expectNear(sent, wanted)
  expectNear(shown, wanted)
  expect(sent).not.toEqual(before.sent)
})

test('a HEIC whose profile says PQ is mapped as well', async () => {
  const heic = readFileSync(fixturePath('grid.heic'))
  const start = heic.indexOf('prof') + 4
  const icc = heic.subarray(start, start + heic.readUInt32BE(start))
  profileOf(9, 16).copy(icc, 4, 4)
  expect(await seen(heic, 'image/heic')).toMatchObject({ colourSpace: 'bt2020 pq' })
})
