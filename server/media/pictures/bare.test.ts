import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fixturePath, typeByName } from '../fixtures/fixture.ts'
import { barePicture } from './bare.ts'
import type { PictureType } from './completeness.ts'

const read = (name: string) => readFileSync(fixturePath(name))
const pixelsOf = (bytes: Uint8Array, pages = 1) =>
  sharp(bytes, { pages, limitInputPixels: false }).raw().toBuffer()
const secret = 'Elm Street 5, +49 30 1234567'

test.each([
  ...[
    'plain.jpg',
    'a.jpg',
    'orient-6.jpg',
    'progressive.jpg',
    'cmyk.jpg',
    'gray.jpg',
    'polyglot-jpg-html.jpg',
  ],
  ...['a.png', 'palette.png', 'png16.png', 'a.webp', 'alpha.webp', 'lossless.webp', 'animated.webp'],
])('%s keeps each pixel and nothing else', async (name) => {
  const type = typeByName(name) as PictureType
  const told = tellingOf[type](read(name))
  expect(told.includes(secret)).toBe(true)
  const clean = Buffer.from(barePicture(told, type))
  expect(clean.includes(secret)).toBe(false)
  expect(clean.includes('<script')).toBe(false)
  expect(clean.length).toBeLessThanOrEqual(told.length)
  expect(Buffer.from(barePicture(clean, type)).equals(clean)).toBe(true)

  const { exif, xmp, iptc, icc, comments, orientation, pages = 1 } = await sharp(clean).metadata()
  expect({ exif, xmp, iptc, icc, comments, orientation }).toEqual({})
  expect(pages).toBe((await sharp(told).metadata()).pages ?? 1)
  // The pixels as they are stored: neither turned nor brought into another colour space.
  if (!(await sharp(told).metadata()).icc)
    expect((await pixelsOf(clean, pages)).equals(await pixelsOf(told, pages))).toBe(true)
})

/** The picture with words in every place where such a file can hold them. */
const tellingOf: Record<PictureType, (file: Buffer) => Buffer> = {
  'image/jpeg'(file) {
    const segments = [0xe1, 0xe3, 0xed, 0xfe].map((marker) => {
      const head = Buffer.from([0xff, marker, 0, secret.length + 2])
      return Buffer.concat([head, Buffer.from(secret)])
    })
    return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2), Buffer.from(secret)])
  },
  'image/png'(file) {
    const text = pngChunk('tEXt', `Author\0${secret}`)
    const end = file.lastIndexOf('IEND') - 4
    return Buffer.concat([
      file.subarray(0, 33),
      text,
      file.subarray(33, end),
      text,
      file.subarray(end),
      Buffer.from(secret),
    ])
  },
  'image/webp'(file) {
    const body = Buffer.concat([Buffer.from(secret), Buffer.alloc(secret.length % 2)])
    const head = Buffer.from('note\0\0\0\0', 'latin1')
    head.writeUInt32LE(secret.length, 4)
    const told = Buffer.concat([file, head, body])
    told.writeUInt32LE(told.length - 8, 4)
    return Buffer.concat([told, Buffer.from(secret)])
  },
}

function pngChunk(type: string, text: string): Buffer {
  const body = Buffer.from(type + text, 'latin1')
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
