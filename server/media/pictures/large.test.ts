import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { inMemory } from '../fixtures/fixture.ts'
import { openMedia } from '../media.ts'

// As the largest sensors of phones write it: 200 megapixels, lying on its side.

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

const photo = await sharp({ create: { width: 16_320, height: 12_240, channels: 3, background: '#c83c28' } })
  .jpeg({ quality: 60, chromaSubsampling: '4:2:0' })
  .withMetadata({ orientation: 6 })
  .toBuffer()

/** What the header says, changed. */
function withHeader(change: (frame: Buffer) => void): Buffer {
  const copy = Buffer.from(photo)
  change(copy.subarray(copy.indexOf(Buffer.of(0xff, 0xc0))))
  return copy
}

test('a photo of 200 megapixels is taken, shown and sent', async () => {
  const source = inMemory(photo)
  expect(await media.inspect(source, 'image/jpeg')).toMatchObject({ width: 12_240, height: 16_320 })
  const { pictures } = await media.previews(source, 'image/jpeg', [{ size: 'large', format: 'webp' }])
  expect(pictures[0]).toMatchObject({ width: 1200, height: 1600 })
  const sent = await media.rendition(source, 'image/jpeg', {
    original: { width: 12_240, height: 16_320 },
    cut: { left: 0, top: 0, width: 12_240, height: 16_320 },
    sizes: [{ width: 1920, height: 2560 }],
    format: 'jpeg',
    qualities: [85],
  })
  expect(sent).toMatchObject({ width: 1920, height: 2560 })
})

test('a progressive one would have to be held whole, and is told so', async () => {
  const progressive = withHeader((frame) => frame.writeUInt8(0xc2, 1))
  await expect(media.inspect(inMemory(progressive), 'image/jpeg')).rejects.toMatchObject({
    code: 'too-many-pixels',
    message: expect.stringContaining('progressive'),
  })
})

test.for([
  [16_384, 16_384],
  [16_385, 600],
] as const)('%i × %i are still too many', async ([width, height]) => {
  const larger = withHeader((frame) => {
    frame.writeUInt16BE(height, 5)
    frame.writeUInt16BE(width, 7)
  })
  await expect(media.inspect(inMemory(larger), 'image/jpeg')).rejects.toMatchObject({
    code: 'too-many-pixels',
    message: expect.stringContaining('220 megapixels'),
  })
})
