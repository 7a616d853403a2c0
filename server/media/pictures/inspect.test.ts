import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { Problem } from '../../problems.ts'
import { fixture, fixturePath, inMemory, inStore, typeByName } from '../fixtures/fixture.ts'
import { afterPicture, apng, pngChunk } from '../fixtures/png.ts'
import { openMedia } from '../media.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

const inspect = (name: string, declared = typeByName(name)) => media.inspect(fixture(name), declared)

const refusal = (
  name: string,
  declared?: string,
): Promise<{ code: string; status: number; detail: string }> =>
  inspect(name, declared).then(
    () => expect.unreachable(`${name} was taken`),
    (error) => {
      expect(error).toBeInstanceOf(Problem)
      return { code: error.code, status: error.status, detail: error.message }
    },
  )

test('a photo tells its size as seen, when it was taken, and that it knows where', async () => {
  expect(await inspect('a.jpg')).toEqual({
    mimeType: 'image/jpeg',
    width: 600,
    height: 800,
    durationSeconds: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    colourSpace: 'srgb',
    hasAlpha: false,
    isAnimated: false,
    isTurned: true,
    capturedAt: '2026-11-14T09:20:30.000Z',
    hasGps: true,
    evidence: {
      c2pa: null,
      signature: null,
      digitalSourceType: null,
      generator: null,
      credit: null,
      copyright: null,
    },
  })
})

test('a phone HEIC tells the same, with its wide colours', async () => {
  expect(await inspect('grid-irot-exif6.heic')).toMatchObject({
    width: 600,
    height: 800,
    colourSpace: 'Display P3',
    capturedAt: '2026-11-14T09:20:30.000Z',
    hasGps: true,
  })
})

test('transparency, animation and CMYK are seen', async () => {
  expect(await inspect('a.png')).toMatchObject({ hasAlpha: true, isAnimated: false, hasGps: false })
  expect(await inspect('alpha.heic')).toMatchObject({ hasAlpha: true })
  expect(await inspect('animated.webp')).toMatchObject({ isAnimated: true })
  expect(await inspect('cmyk.jpg')).toMatchObject({ colourSpace: 'cmyk', hasAlpha: false })
})

test('an APNG is known to move', async () => {
  expect(await media.inspect(inMemory(apng(20)), 'image/png')).toMatchObject({ isAnimated: true, width: 20 })
  const still = await sharp(apng(20)).png().toBuffer()
  expect(await media.inspect(inMemory(still), 'image/png')).toMatchObject({ isAnimated: false })
})

describe('what a PNG says after its picture', () => {
  const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: '#369' } })
    .png()
    .toBuffer()
  const facts = async (...chunks: Buffer[]) =>
    media.inspect(inMemory(chunks.reduce(afterPicture, await plain)), 'image/png')

  test('how it stands, where and when it was taken', async () => {
    const { exif } = await sharp(
      await sharp(await plain)
        .jpeg()
        .withExif({
          IFD0: { DateTime: '2026:11:14 09:20:30' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1' },
        })
        .withMetadata({ orientation: 6 })
        .toBuffer(),
    ).metadata()
    expect(await facts(pngChunk('eXIf', exif!.subarray(6)))).toMatchObject({
      ...{ width: 40, height: 60, isTurned: true },
      ...{ hasGps: true, capturedAt: '2026-11-14T09:20:30.000Z' },
    })
    expect(await facts()).toMatchObject({ width: 60, height: 40, isTurned: false, hasGps: false })
  })

  test('the place in XMP, as plain text or compressed', async () => {
    const xmp = Buffer.from('<x:xmpmeta exif:GPSLatitude="48,51.5N"/>')
    const text = (flag: number, body: Buffer) =>
      pngChunk(
        'iTXt',
        Buffer.concat([Buffer.from(`XML:com.adobe.xmp\0${String.fromCharCode(flag)}\0\0\0`), body]),
      )
    expect(await facts(text(0, xmp))).toMatchObject({ hasGps: true })
    expect(await facts(text(1, deflateSync(xmp)))).toMatchObject({ hasGps: true })
  })
})

describe('what a file is not', () => {
  test.for([
    ['impostor-html.jpg', 'HTML'],
    ['impostor-svg.png', 'SVG'],
    ['impostor-svg-bare.jpg', 'SVG'],
    ['impostor-html.heic', 'HTML'],
    ['impostor-avif.heic', 'AVIF'],
    ['impostor-gif.png', 'GIF'],
    ['impostor-jpg.png', 'JPEG'],
  ])('%s is told to be %s', async ([name, what]) => {
    expect(await refusal(name!)).toMatchObject({
      code: 'type-mismatch',
      status: 422,
      detail: expect.stringContaining(what!),
    })
  })

  test.for([
    'impostor-text.mp4',
    'impostor-hls.mp4',
    'impostor-concat.mp4',
    'impostor-concat-relative.mp4',
    'one-byte.png',
  ])('%s is not what it was announced as', async (name) => {
    expect(await refusal(name)).toMatchObject({ code: 'type-mismatch', status: 422 })
  })

  test.for([
    ['a.gif', 'image/gif'],
    ['a.avif', 'image/avif'],
    ['a.mov', 'video/quicktime'],
    ['plain.jpg', 'image/svg+xml'],
    ['plain.jpg', ''],
  ])('%s announced as "%s" is no type that is taken', async ([name, declared]) => {
    expect(await refusal(name!, declared)).toMatchObject({ code: 'unsupported-type', status: 415 })
  })
})

describe('what cannot be read', () => {
  test.for(['empty.jpg', 'magic-only.jpg', 'magic-only.png'])('%s', async (name) => {
    expect(await refusal(name)).toMatchObject({ code: 'unreadable-media', status: 422 })
  })

  test.for(['plain.jpg', 'a.png', 'a.webp', 'a.heic', 'grid.heic'])(
    '%s, cut short, is told to be cut short',
    async (name) => {
      expect(await refusal(`truncated-${name}`)).toMatchObject({
        code: 'unreadable-media',
        detail: expect.stringContaining('cut short'),
      })
    },
  )

  test.for([
    'bomb-900MP.png',
    'bomb-256MP-under-limit.png',
    'bomb-header-lie.png',
    'bomb-65000x65000-header.jpg',
    'bomb-60000x60000.heic',
  ])('%s has too many pixels', async (name) => {
    expect(await refusal(name)).toMatchObject({
      code: 'too-many-pixels',
      detail: expect.stringContaining('too many'),
    })
  })
})

test('an HTML tail behind a JPEG is no reason to refuse it', async () => {
  expect(await inspect('polyglot-jpg-html.jpg')).toMatchObject({ mimeType: 'image/jpeg', width: 800 })
})

/** So many entries, each of which leads back to all of them. */
function circling(entries: number): Buffer {
  const entry = Buffer.from([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8])
  const count = Buffer.alloc(2)
  count.writeUInt16BE(entries)
  const all = Array.from({ length: entries }, () => entry)
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), count, ...all, Buffer.alloc(4)])
}

const withNotes: Record<string, (notes: Buffer) => Promise<Buffer>> = {
  async 'image/jpeg'(notes) {
    const picture = await plain().jpeg().toBuffer()
    const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), notes])
    const head = Buffer.from([0xff, 0xe1, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([picture.subarray(0, 2), head, body, picture.subarray(2)])
  },
  async 'image/png'(notes) {
    return afterPicture(await plain().png().toBuffer(), pngChunk('eXIf', notes))
  },
  async 'image/webp'(notes) {
    const picture = await plain().webp().toBuffer()
    const head = Buffer.from('EXIF\0\0\0\0')
    head.writeUInt32LE(notes.length, 4)
    const whole = Buffer.concat([picture, head, notes])
    whole.writeUInt32LE(whole.length - 8, 4)
    return whole
  },
}
const plain = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#357' } })

test.each(Object.keys(withNotes))(
  'camera notes of %s that decoders would go through for ever are refused',
  async (type) => {
    const inspects = async (entries: number) =>
      media.inspect(inMemory(await withNotes[type]!(circling(entries))), type)
    expect(await inspects(400)).toMatchObject({ width: 64 })
    await expect(inspects(5000)).rejects.toMatchObject({
      code: 'unreadable-media',
      message: expect.stringContaining('notes of the camera'),
    })
  },
)

test('from a store the same is told', async () => {
  for (const name of ['a.jpg', 'a.png', 'animated.webp', 'grid.heic']) {
    expect(await media.inspect(inStore(fixturePath(name)), typeByName(name))).toEqual(await inspect(name))
  }
})

test('a photo with a video appended is not fetched whole', async () => {
  const photo = inStore(fixturePath('plain.jpg'))
  const video = Buffer.alloc(20_000_000, Buffer.from([0xff, 0xd9]))
  let fetched = 0
  const both = {
    sizeBytes: photo.sizeBytes + video.length,
    async read(start: number, end: number) {
      fetched += end - start
      const first = await photo.read(start, end)
      return Buffer.concat([first, video.subarray(0, end - start - first.length)])
    },
  }
  expect(await media.inspect(both, 'image/jpeg')).toMatchObject({ width: 800, height: 600 })
  expect(fetched).toBeLessThan(1_000_000)
})

test('a store that fails is the one to blame, not the file', async () => {
  const failing = { sizeBytes: 1000, read: () => Promise.reject(new Problem('storage-unavailable', 'Away.')) }
  await expect(media.inspect(failing, 'image/jpeg')).rejects.toMatchObject({ code: 'storage-unavailable' })
})

test('a slow store is not held against the file', async () => {
  const unhurried = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off', timeouts: { inspect: 2000 } })
  const photo = inStore(fixturePath('plain.jpg'))
  let isFirst = true
  const slow = {
    sizeBytes: photo.sizeBytes,
    async read(start: number, end: number) {
      if (isFirst) await pause(3000)
      isFirst = false
      return photo.read(start, end)
    },
  }
  expect(await unhurried.inspect(slow, 'image/jpeg')).toMatchObject({ width: 800 })
  await unhurried.close()
})

test('a local file that is gone is told as missing', async () => {
  const gone = { ...fixture('plain.jpg'), path: fixturePath('nowhere.jpg') }
  await expect(media.inspect(gone, 'image/jpeg')).rejects.toMatchObject({ code: 'object-missing' })
})
