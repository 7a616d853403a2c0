import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { MediaType } from '../../../contract/media-types.ts'
import { fixture } from '../fixtures/fixture.ts'
import { openMedia } from '../media.ts'
import { hammingDistance } from './perceptual-hash.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

const thumb = [{ size: 'thumb', format: 'webp' } as const]
const hashOf = async (bytes: Uint8Array, type: MediaType = 'image/jpeg') =>
  (
    await media.looks(
      { sizeBytes: bytes.length, read: async (start, end) => bytes.subarray(start, end) },
      type,
      thumb,
    )
  ).perceptualHash

/** Blurred noise: pictures that have nothing to do with one another. */
async function unrelated(seed: number): Promise<Buffer> {
  let state = seed
  const noise = Uint8Array.from({ length: 12 * 9 * 3 }, () => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state >> 16
  })
  return sharp(noise, { raw: { width: 12, height: 9, channels: 3 } })
    .resize(640, 480, { kernel: 'cubic' })
    .jpeg()
    .toBuffer()
}

test('recompressed and resized copies are at most two bits apart', async () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const picture = await unrelated(seed)
    const copies = [sharp(picture).jpeg({ quality: 40 }), sharp(picture).resize(300).jpeg({ quality: 70 })]
    const original = await hashOf(picture)
    for (const copy of copies)
      expect(hammingDistance(original!, (await hashOf(await copy.toBuffer()))!)).toBeLessThanOrEqual(2)
    const asPng = await hashOf(await sharp(picture).png().toBuffer(), 'image/png')
    expect(hammingDistance(original!, asPng!)).toBeLessThanOrEqual(2)
  }
})

test('the same scene as JPEG and as HEIC is the same picture', async () => {
  const jpeg = await media.looks(fixture('plain.jpg'), 'image/jpeg', thumb)
  const heic = await media.looks(fixture('a.heic'), 'image/heic', thumb)
  expect(hammingDistance(jpeg.perceptualHash!, heic.perceptualHash!)).toBeLessThanOrEqual(2)
})

test('unrelated pictures are about 32 bits apart', async () => {
  const hashes = await Promise.all(
    [11, 22, 33, 44, 55, 66, 77, 88].map(async (seed) => (await hashOf(await unrelated(seed)))!),
  )
  const distances = hashes.flatMap((a, i) => hashes.slice(i + 1).map((b) => hammingDistance(a, b)))
  expect(Math.min(...distances)).toBeGreaterThan(12)
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length
  expect(mean).toBeGreaterThan(26)
  expect(mean).toBeLessThan(38)
})

test('a flat picture has no hash: it would be like every other flat one', async () => {
  const flat = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer()
  expect(await hashOf(flat)).toBeNull()
})
