import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import type { MediaType, PreviewFormat } from '../../../contract/media-types.ts'
import { fixture, fixturePath, inStore, typeByName } from '../fixtures/fixture.ts'
import { openMedia } from '../media.ts'

// What is looked at here is AVIF, too. Test files of one process share it, and one that reads marks as a decoder does leaves
// it with the few loaders that a decoder may use.
sharp.unblock({ operation: ['VipsForeignLoad'] })

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

type Corners = [topLeft: Colour, topRight: Colour, bottomLeft: Colour, bottomRight: Colour]
type Colour = [number, number, number]

const red: Colour = [220, 40, 40]
const green: Colour = [40, 200, 60]
const blue: Colour = [40, 60, 220]
const white: Colour = [245, 245, 245]
const upright: Corners = [red, green, blue, white]
const clockwise: Corners = [blue, red, white, green]

test.for([
  ['plain.jpg', 320, 240],
  ['progressive.jpg', 320, 240],
  ['palette.png', 320, 240],
  ['a.webp', 320, 240],
  ['a.heic', 320, 240],
  ['mif1-major.heic', 320, 240],
  ['brand-heix.heic', 320, 240],
  ['brand-hevc.heic', 320, 240],
  ['brand-msf1.heic', 320, 240],
] as const)('%s shows its corners where they belong', async ([name, width, height]) => {
  for (const format of ['webp', 'avif', 'jpeg'] as const) {
    const picture = await thumb(name, format)
    expect(picture).toMatchObject({ width, height })
    expectCorners(picture.corners, upright)
  }
})

test.for([
  [1, upright],
  [2, [green, red, white, blue]],
  [3, [white, blue, green, red]],
  [4, [blue, white, red, green]],
  [5, [red, blue, green, white]],
  [6, clockwise],
  [7, [white, green, blue, red]],
  [8, [green, white, red, blue]],
] as [number, Corners][])('EXIF orientation %i is turned upright', async ([orientation, corners]) => {
  const picture = await thumb(`orient-${orientation}.jpg`)
  expectCorners(picture.corners, corners)
  const turned = orientation >= 5
  expect(picture.width < picture.height).toBe(turned)
  const { width, height } = await media.inspect(fixture(`orient-${orientation}.jpg`), 'image/jpeg')
  expect(width < height).toBe(turned)
})

test('a phone photo with EXIF orientation 6 stands upright and keeps no metadata', async () => {
  const picture = await thumb('a.jpg')
  expect(picture).toMatchObject({ width: 240, height: 320 })
  expectCorners(picture.corners, clockwise)
  const { exif, xmp, icc, orientation } = await sharp(picture.bytes).metadata()
  expect({ exif, xmp, icc, orientation }).toEqual({})
})

test('a HEIC turned by its container and by EXIF is turned once', async () => {
  const picture = await thumb('grid-irot-exif6.heic')
  expect(picture).toMatchObject({ width: 240, height: 320 })
  expectCorners(picture.corners, (await thumb('p3-icc.jpg')).clockwise)
})

test('Display P3 becomes sRGB, in JPEG and HEIC alike', async () => {
  const jpeg = await thumb('p3-icc.jpg', 'jpeg')
  const heic = await thumb('grid.heic', 'jpeg')
  expectCorners(heic.corners, jpeg.corners)
  expect(jpeg.corners[0][0]).toBeGreaterThan(red[0] + 8) // P3 red lies outside of sRGB's
})

test('instantly, a HEIC shows the small picture its camera put in', async () => {
  const wanted = [{ size: 'thumb', format: 'jpeg' } as const]
  const { pictures } = await media.previews(fixture('grid-irot-exif6.heic'), 'image/heic', wanted, {
    instant: true,
  })
  expect(pictures[0]).toMatchObject({ width: 120, height: 160 })
  const whole = await thumb('grid-irot-exif6.heic', 'jpeg')
  expectCorners(await cornersOf(pictures[0]!.bytes), whole.corners, 24)
})

test('CMYK and grey come out in the colours of the scene', async () => {
  // Print colours are duller: each corner must only be nearer to its own colour than to any other.
  const cmyk = await thumb('cmyk.jpg')
  expect(cmyk.corners.map((colour) => nearest(colour, upright))).toEqual(upright)
  const grey = await thumb('gray.jpg')
  for (const [r, g, b] of grey.corners) expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(4)
})

test('16 and 10 bits a channel become 8', async () => {
  const png = await thumb('png16.png')
  const heic = await thumb('10bit.heic')
  expect(png).toMatchObject({ width: 200, height: 150 })
  expectCorners(heic.corners, png.corners)
})

describe('transparency', () => {
  test.for(['a.png', 'alpha.webp', 'alpha.heic'])(
    '%s keeps it in WebP and AVIF, and lies on white in JPEG',
    async (name) => {
      for (const format of ['webp', 'avif'] as const) {
        const { isOpaque } = await sharp((await thumb(name, format)).bytes).stats()
        expect(isOpaque).toBe(false)
      }
      expect((await sharp((await thumb(name, 'jpeg')).bytes).metadata()).hasAlpha).toBe(false)
    },
  )
})

test('an animated WebP shows its first frame, still', async () => {
  const picture = await thumb('animated.webp')
  expect(picture).toMatchObject({ width: 200, height: 150 })
  expect((await sharp(picture.bytes).metadata()).pages ?? 1).toBe(1)
})

test('previews are the same whether the file lies on this disk or in a store', async () => {
  for (const name of ['plain.jpg', 'a.png', 'a.webp', 'grid.heic']) {
    const [picture] = (
      await media.previews(inStore(fixturePath(name)), typeByName(name) as MediaType, [
        { size: 'thumb', format: 'webp' },
      ])
    ).pictures
    expect(Buffer.from(picture!.bytes).equals(Buffer.from((await thumb(name)).bytes))).toBe(true)
  }
})

test('three sizes from one decoding: inside 320, 640 and 1600, never enlarged', async () => {
  const { pictures } = await media.previews(fixture('plain.jpg'), 'image/jpeg', [
    { size: 'thumb', format: 'webp' },
    { size: 'card', format: 'webp' },
    { size: 'large', format: 'webp' },
  ])
  expect(pictures.map(({ size, width, height }) => [size, width, height])).toEqual([
    ['thumb', 320, 240],
    ['card', 640, 480],
    ['large', 800, 600],
  ])
})

async function thumb(name: string, format: PreviewFormat = 'webp') {
  const { pictures } = await media.previews(fixture(name), typeByName(name) as MediaType, [
    { size: 'thumb', format },
  ])
  const picture = pictures[0]!
  const { width, height } = await sharp(picture.bytes).metadata()
  expect([width, height]).toEqual([picture.width, picture.height])
  const corners = await cornersOf(picture.bytes)
  const [topLeft, topRight, bottomLeft, bottomRight] = corners
  return { ...picture, corners, clockwise: [bottomLeft, topLeft, bottomRight, topRight] as Corners }
}

async function cornersOf(bytes: Uint8Array): Promise<Corners> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) =>
    [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)] as Colour
  const [right, bottom] = [info.width - 6, info.height - 6]
  return [at(5, 5), at(right, 5), at(5, bottom), at(right, bottom)]
}

const nearest = (colour: Colour, choices: Colour[]) =>
  choices.toSorted((a, b) => apart(colour, a) - apart(colour, b))[0]

const apart = (a: Colour, b: Colour) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

function expectCorners(found: Corners, wanted: Corners, tolerance = 14) {
  const distance = Math.max(
    ...found.flatMap((colour, i) => colour.map((value, j) => Math.abs(value - wanted[i]![j]!))),
  )
  expect(distance, `${JSON.stringify(found)} for ${JSON.stringify(wanted)}`).toBeLessThanOrEqual(tolerance)
}
