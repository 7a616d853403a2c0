import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import type { StillType } from '../../contract/media-types.ts'
import { cutAround, type Point } from '../../contract/ratios.ts'
import { fixture, inMemory } from '../media/fixtures/fixture.ts'
import { openMedia } from '../media/media.ts'
import type { Rendition } from '../media/pictures/rendition.ts'
import type { Source } from '../media/pictures/source.ts'
import type { Recipe } from './recipe.ts'
import { makeRendition } from './rendition.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 100 })
    .toBuffer()
    .then(inMemory)

async function rendition(source: Source, mimeType: StillType, recipe: Recipe) {
  const { width, height } = await media.inspect(source, mimeType)
  return makeRendition(media, { source, mimeType, width, height }, recipe)
}

async function made(...args: Parameters<typeof rendition>): Promise<Rendition> {
  const result = await rendition(...args)
  if ('refused' in result) expect.unreachable(result.refused)
  return result as Rendition
}

const colourAt = async (bytes: Uint8Array, x: number, y: number) =>
  [
    ...(await sharp(bytes).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
  ].slice(0, 3)

test('a phone HEIC becomes an upright sRGB JPEG without what the camera wrote', async () => {
  const jpeg = await made(fixture('grid-irot-exif6.heic'), 'image/heic', {
    format: 'jpeg',
    maxWidth: 1080,
    maxHeight: 1350,
  })
  expect(jpeg).toMatchObject({ mimeType: 'image/jpeg', width: 600, height: 800 })
  const { format, exif, xmp, icc, orientation, width, height, space } = await sharp(jpeg.bytes).metadata()
  expect({ format, exif, xmp, icc, orientation, width, height, space }).toEqual({
    format: 'jpeg',
    width: 600,
    height: 800,
    space: 'srgb',
  })
  const [red, , blue] = await colourAt(jpeg.bytes, 8, 8)
  expect(blue! - red!).toBeGreaterThan(120) // the blue corner, turned to the top left
})

describe('cropping to a ratio', () => {
  const square: Recipe = { format: 'png', ratio: { min: 1, max: 1 } }

  test('keeps the middle by default', async () => {
    expect(await made(fixture('plain.jpg'), 'image/jpeg', square)).toMatchObject({ width: 600, height: 600 })
  })

  test('keeps the focal point in view, and stays inside', async () => {
    const around = (focus: Point): Recipe => ({
      ...square,
      cut: cutAround({ width: 800, height: 600 }, 1, focus),
    })
    const left = await made(fixture('plain.jpg'), 'image/jpeg', around({ x: 0, y: 0.5 }))
    expect((await colourAt(left.bytes, 8, 8))[0]).toBeGreaterThan(180) // red corner
    const right = await made(fixture('plain.jpg'), 'image/jpeg', around({ x: 1, y: 1 }))
    expect((await colourAt(right.bytes, 591, 8))[1]).toBeGreaterThan(180) // green corner
  })

  test('goes to the nearest ratio allowed, and leaves an allowed one alone', async () => {
    const portrait = { format: 'jpeg', ratio: { min: 0.8, max: 1.91 } } as const
    expect(await made(fixture('a.jpg'), 'image/jpeg', portrait)).toMatchObject({ width: 600, height: 750 })
    expect(await made(fixture('plain.jpg'), 'image/jpeg', portrait)).toMatchObject({
      width: 800,
      height: 600,
    })
  })
})

test('a byte cap is met by quality first, then by size', async () => {
  const source = await noise(1200, 900)
  const free = await made(source, 'image/jpeg', { format: 'jpeg', quality: 90 })
  const lower = await made(source, 'image/jpeg', {
    format: 'jpeg',
    quality: 90,
    maxBytes: Math.round(free.bytes.length * 0.6),
  })
  expect(lower.bytes.length).toBeLessThanOrEqual(free.bytes.length * 0.6)
  expect(lower).toMatchObject({ width: 1200, height: 900 })

  const smaller = await made(source, 'image/jpeg', { format: 'jpeg', quality: 90, maxBytes: 60_000 })
  expect(smaller.bytes.length).toBeLessThanOrEqual(60_000)
  expect(smaller.width).toBeLessThan(1200)
})

test('a byte cap that cannot be met is refused with the reason', async () => {
  const result = await rendition(await noise(1200, 900), 'image/jpeg', {
    format: 'png',
    minWidth: 1000,
    maxBytes: 5000,
  })
  expect(result).toEqual({ refused: expect.stringContaining('5 kB') })
})

test('too few bytes or pixels are refused with the reason', async () => {
  const flat = inMemory(
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
  )
  expect(await rendition(flat, 'image/png', { format: 'jpeg', minBytes: 10_000 })).toEqual({
    refused: expect.stringContaining('at least 10 kB'),
  })
  expect(await rendition(flat, 'image/png', { format: 'jpeg', minWidth: 320 })).toEqual({
    refused: expect.stringContaining('at least 320'),
  })
})

test('transparent parts stay in PNG and WebP, and lie on the background in JPEG', async () => {
  const png = await made(fixture('a.png'), 'image/png', { format: 'png' })
  const webp = await made(fixture('a.png'), 'image/png', { format: 'webp' })
  for (const { bytes } of [png, webp]) expect((await sharp(bytes).stats()).isOpaque).toBe(false)
  const clear = inMemory(
    await sharp({ create: { width: 80, height: 80, channels: 4, background: '#0000' } })
      .png()
      .toBuffer(),
  )
  const jpeg = await made(clear, 'image/png', { format: 'jpeg', background: '#00ff00' })
  expect((await colourAt(jpeg.bytes, 40, 40))[1]).toBeGreaterThan(240)
})

test('a cap on all pixels is kept', async () => {
  const { width, height } = await made(fixture('plain.jpg'), 'image/jpeg', {
    format: 'jpeg',
    maxPixels: 120_000,
  })
  expect(width * height).toBeLessThanOrEqual(120_000)
  expect(width / height).toBeCloseTo(4 / 3, 1)
})
