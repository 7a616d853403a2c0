import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { MediaType } from '../../../contract/media-types.ts'
import { filmNotes, writeOver } from '../films/film-notes.ts'
import { makeCertificates } from '../fixtures/certificates.ts'
import { fixturePath, inMemory } from '../fixtures/fixture.ts'
import { cameraNotes, withXmpBox, xmpPacket } from '../fixtures/marked.ts'
import { openMedia } from '../media.ts'
import { defaultLimits } from '../pictures/inspection.ts'
import { evidenceOf } from './evidence.ts'
import { packetOf } from './kept-marks.ts'
import { marksIn } from './marks-in.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
const signing = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off', c2pa: makeCertificates() })
afterAll(() => Promise.all([media.close(), signing.close()]))

const kept = {
  digitalSourceType: 'trainedAlgorithmicMedia',
  credit: 'Foto Müller & Söhne',
  copyright: '© 2026 <Anna>',
}
const secrets = ['52.520008', 'SN-0815-4711', 'Elm Street 5', 'GPSLatitude', 'SerialNumber', 'Contact']

/** As a camera and its owner fill it. */
const talkative = xmpPacket(
  {
    'Iptc4xmpExt:DigitalSourceType': 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
    'photoshop:Credit': 'Foto Müller &amp; Söhne',
    'exif:GPSLatitude': '52.520008',
    'exif:SerialNumber': 'SN-0815-4711',
  },
  '<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© 2026 &lt;Anna&gt;</rdf:li></rdf:Alt></dc:rights><Contact>Elm Street 5</Contact>',
)
const exif = {
  IFD0: { Model: 'SN-0815-4711', Copyright: 'Elm Street 5' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
}

const evidenceIn = async (bytes: Uint8Array, type: MediaType) =>
  evidenceOf(await marksIn(inMemory(bytes), type, defaultLimits))

async function saysOnlyThat(bytes: Uint8Array, type: MediaType) {
  expect(await evidenceIn(bytes, type)).toMatchObject(kept)
  const text = Buffer.from(bytes).toString('latin1')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
}

const noise = () =>
  sharp({
    create: {
      width: 90,
      height: 70,
      channels: 4,
      background: '#c40',
      noise: { type: 'gaussian', mean: 90, sigma: 30 },
    },
  })
const talking = () => noise().withExif(exif).withXmp(talkative)

test.each([
  ['image/jpeg', () => talking().jpeg().toBuffer()],
  ['image/png', () => talking().png().toBuffer()],
  ['image/webp', () => talking().webp().toBuffer()],
  ['image/webp', () => talking().webp({ lossless: true }).toBuffer()],
  ['image/webp', () => talking().removeAlpha().webp().toBuffer()],
] as const)('%s as it is keeps its marks and every pixel, and nothing else', async (type, write) => {
  const original = await write()
  const packet = packetOf(await evidenceIn(original, type))!
  const bare = Buffer.from(await media.bare(inMemory(original), type, packet))
  await saysOnlyThat(bare, type)
  expect((await sharp(bare).raw().toBuffer()).equals(await sharp(original).raw().toBuffer())).toBe(true)
  const { exif: camera, iptc, icc, xmp, hasAlpha } = await sharp(bare).metadata()
  expect({ camera, iptc, icc, xmp: xmp?.toString() }).toEqual({ xmp: packet })
  expect(hasAlpha).toBe((await sharp(original).metadata()).hasAlpha)
  expect(await media.inspect(inMemory(bare), type)).toMatchObject({ hasGps: false, capturedAt: null })
})

test.each(['jpeg', 'png', 'webp'] as const)(
  'a rendition as %s keeps the marks, within its bytes',
  async (format) => {
    const original = await talking().jpeg({ quality: 100 }).toBuffer()
    const order = {
      ...{ original: { width: 90, height: 70 }, cut: { left: 0, top: 0, width: 70, height: 70 } },
      ...{ sizes: [{ width: 60, height: 60 }] as [{ width: number; height: number }], format },
      ...{ qualities: [90, 60, 30] as [number, ...number[]], packet: packetOf(kept) },
    }
    const made = await media.rendition(inMemory(original), 'image/jpeg', order)
    if ('missed' in made) throw new Error('missed')
    await saysOnlyThat(made.bytes, `image/${format}`)
    const limited = await media.rendition(inMemory(original), 'image/jpeg', {
      ...order,
      maxBytes: made.bytes.length - 1,
    })
    if (!('missed' in limited)) expect(limited.bytes.length).toBeLessThan(made.bytes.length)
    const bare = await media.rendition(inMemory(original), 'image/jpeg', { ...order, packet: packetOf(null) })
    if ('missed' in bare) throw new Error('missed')
    expect((await sharp(bare.bytes).metadata()).xmp).toBeUndefined()
  },
)

const people = ['Erika Mustermann', 'Max Owner', 'LENS-99', 'BODY-98', 'MAKERNOTE-7', 'THUMBNAIL-7', 'A word']

test.each(['jpeg', 'png', 'webp'] as const)(
  'names, serial numbers, the maker’s note and the small picture in a %s stay here, signed or not',
  async (type) => {
    const noted = cameraNotes(await noise().jpeg().toBuffer(), {
      makerNote: 'MAKERNOTE-7',
      thumbnail: 'THUMBNAIL-7',
    })
    const camera = { BodySerialNumber: 'BODY-98', LensSerialNumber: 'LENS-99', CameraOwnerName: 'Max Owner' }
    const original = await sharp(noted)
      .keepExif()
      .withExifMerge({ IFD0: { Artist: 'Erika Mustermann' }, IFD2: { ...camera, UserComment: 'A word' } })
      .withXmp(talkative)
      .toFormat(type)
      .toBuffer()
    expect(people.filter((secret) => !original.includes(secret))).toEqual([])
    const whole = { width: 90, height: 70 }
    const carried = { hasManifest: false, digitalSourceType: kept.digitalSourceType }
    for (const from of [media, signing]) {
      const source = inMemory(original)
      const bare = await from.bare(source, `image/${type}`, packetOf(kept), carried)
      const files = [{ bytes: bare, mimeType: `image/${type}` as const }]
      for (const format of ['jpeg', 'png', 'webp'] as const) {
        const made = await from.rendition(
          source,
          `image/${type}`,
          {
            ...{ original: whole, cut: { left: 0, top: 0, ...whole }, sizes: [{ width: 45, height: 35 }] },
            ...{ format, qualities: [80], packet: packetOf(kept) },
          },
          carried,
        )
        if ('missed' in made) throw new Error('missed')
        files.push(made)
      }
      for (const { bytes, mimeType } of files) {
        await saysOnlyThat(bytes, mimeType)
        expect(people.filter((secret) => Buffer.from(bytes).includes(secret))).toEqual([])
        const { signature } = (await from.inspect(inMemory(bytes), mimeType)).evidence
        expect(signature).toBe(from === signing ? 'unknown-signer' : null)
      }
    }
  },
)

test('a film keeps its marks: as it is in the place of what it said, and packed anew at its end', async () => {
  const film = withXmpBox(readFileSync(fixturePath('gps.mp4')), talkative)
  const packet = packetOf(await evidenceIn(film, 'video/mp4'))!
  const blots = (await filmNotes(inMemory(film), packet))!
  const asItIs = await buffer(Readable.from([film]).pipe(writeOver(blots, 0)))
  expect(asItIs.length).toBe(film.length)
  await saysOnlyThat(asItIs, 'video/mp4')
  expect(await media.inspect(inMemory(asItIs), 'video/mp4')).toMatchObject({ hasGps: false })

  const { width, height, durationSeconds } = await media.inspect(inMemory(film), 'video/mp4')
  const order = { video: 'copy', sound: 'copy', width, height, durationSeconds: durationSeconds! } as const
  await using made = (await media.film(inMemory(film), order as never, { packet }))!
  const anew = await buffer(Readable.from(made.open()))
  await saysOnlyThat(anew, 'video/mp4')
  expect(await media.inspect(inMemory(anew), 'video/mp4')).toMatchObject({ width, height, hasGps: false })
})
