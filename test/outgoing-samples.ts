import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { MediaType } from '../contract/media-types.ts'
import { fixturePath, typeByName } from '../server/media/fixtures/fixture.ts'
import { afterPicture, apng, beforePicture, pngChunk } from '../server/media/fixtures/png.ts'

export interface Sample {
  name: string
  mimeType: MediaType
  bytes: Buffer
}

/** Nobody outside may read this. */
export const secret = 'Elm Street 5, +49 30 1234567'

/** Files that are near to a limit of some target, or that say more than they show. */
export async function outgoingSamples(names?: string[]): Promise<Sample[]> {
  const made = await generated()
  return [
    ...fixtures(),
    ...made.map(([name, bytes]) => ({ name, bytes, mimeType: typeByName(name) as MediaType })),
  ].filter(({ name }) => !names || names.includes(name))
}

function fixtures(): Sample[] {
  const unfit =
    /^(impostor-(?!quicktime)|truncated|bomb|magic|empty|one-byte|audio-only|fuzz|brand-|orient-[1-578]|rotated-|mif1|grid\.|fullrange|black|hd-|silent|progressive|moov|alpha\.heic|generated)/
  return readdirSync(fixturePath('.'))
    .filter((name) => typeByName(name) !== 'application/octet-stream' && !unfit.test(name))
    .map((name) => ({
      name,
      mimeType: typeByName(name) as MediaType,
      bytes: readFileSync(fixturePath(name)),
    }))
}

async function generated(): Promise<[string, Buffer][]> {
  const film = readFileSync(fixturePath('a.mp4'))
  const broken = readFileSync(fixturePath('fragmented.mp4'))
  for (const file of [film, broken]) file.write('meta', file.indexOf('soun', 0, 'latin1'), 'latin1')
  const contact = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><Contact>${secret}</Contact></x:xmpmeta>`
  const photo = await noise(1200, 1200, 40)
  return [
    [
      'nearly-5-MB.jpg', // grows when it is made anew in better quality
      between(4_200_000, 5_000_000, await (await noise(2760, 2760, 60)).jpeg({ quality: 82 }).toBuffer()),
    ],
    [
      'nearly-1-MB.png', // grows when it is made anew without its palette
      between(
        930_000,
        1_000_000,
        await (await noise(1395, 1395, 60))
          .png({ palette: true, colours: 16, compressionLevel: 9, effort: 1 })
          .toBuffer(),
      ),
    ],
    ['contact.jpg', await photo.clone().jpeg({ quality: 80 }).withXmp(contact).toBuffer()],
    ['contact.webp', await photo.clone().webp({ quality: 80 }).withXmp(contact).toBuffer()],
    [
      'turned-contact.jpg',
      await photo
        .clone()
        .resize(1200, 700)
        .jpeg()
        .withXmp(contact)
        .withMetadata({ orientation: 8 })
        .toBuffer(),
    ],
    ['flat.png', await flat(300, 300).png().toBuffer()],
    ['flat.jpg', await flat(1200, 1200).jpeg().toBuffer()],
    [
      'ten-kB-with-words.jpg', // has too few bytes without them
      between(
        10_000,
        12_500,
        await (await noise(300, 300, 10))
          .jpeg({ quality: 70 })
          .withXmp(contact.replace(secret, secret.repeat(90)))
          .toBuffer(),
      ),
    ],
    ['see-through.png', await noisyAlpha(1300, 1000)],
    ['wide.jpg', await flat(2400, 700).jpeg().toBuffer()],
    ['odd-ratio.webp', await (await noise(1531, 797, 20)).webp().toBuffer()],
    ['tall.png', await (await noise(401, 1803, 10)).png().toBuffer()],
    ['tiny.jpg', await flat(40, 30).jpeg().toBuffer()],
    ['moving.png', afterPicture(apng(), pngChunk('tEXt', Buffer.from(`Author\0${secret}`)))],
    [
      'hdr.png',
      beforePicture(await flat(700, 500).png().toBuffer(), pngChunk('cICP', Buffer.of(9, 16, 0, 1))),
    ],
    ['late-mark.png', lateMark(await (await noise(640, 360, 30)).png().toBuffer())],
    ['track-of-notes.mp4', film],
    ['track-of-notes-in-pieces.mp4', broken],
  ]
}

async function noise(width: number, height: number, sigma: number) {
  const { data, info } = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: info })
}

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c8d2e6' } })

/** A file is only of use here if it lies between these. */
function between(least: number, most: number, bytes: Buffer): Buffer {
  if (bytes.length < least || bytes.length > most) throw new Error(`${bytes.length} bytes are not wanted.`)
  return bytes
}

async function noisyAlpha(width: number, height: number): Promise<Buffer> {
  const alpha = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .extractChannel(0)
    .raw()
    .toBuffer()
  return (await noise(width, height, 60))
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Turned by a mark that comes after the picture, with words beside it. */
function lateMark(png: Buffer): Buffer {
  const exif = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
  return afterPicture(png, pngChunk('eXIf', Buffer.concat([exif, Buffer.from(secret)])))
}
