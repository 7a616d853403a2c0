import type { Metadata, Sharp, SharpOptions } from 'sharp'
import type { Size } from '../../../contract/ratios.ts'
import { type Colours, colourSpaceOf, hdrIn } from './colour-space.ts'
import { isWhole, type PictureType } from './completeness.ts'
import { isShort, readCameraNotes } from './exif.ts'
import type { Header, Limits } from './inspection.ts'
import { segmentsOf } from './jpeg-segments.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'
import { type PngNotes, pngNotes } from './png-chunks.ts'
import { pngHeaderIsSound } from './png-header.ts'
import { cutShort, Refusal, unreadable } from './refusal.ts'
import { sharp } from './sharp.ts'
import { readAll, type Source, windowed } from './source.ts'
import { toSrgb } from './to-srgb.ts'
import { chunksOf } from './webp-chunks.ts'

/** JPEG, PNG and WebP: the types that sharp decodes. */
export async function inspectPicture(source: Source, type: PictureType, limits: Limits): Promise<Header> {
  if (!(await isWhole(source, type))) throw cutShort()
  if (type === 'image/png' && !(await pngHeaderIsSound(source))) {
    throw unreadable('The header of the picture is damaged. Export it again.')
  }
  const notes = type === 'image/png' ? await pngNotes(source) : undefined
  for await (const exif of exifIn(source, type, notes)) if (!isShort(exif)) throw endlessNotes()
  const header = await readHeader(source)
  if (`image/${header.format}` !== type) throw unreadable('The header of the picture contradicts its type.')
  checkSize(header, limits)
  return {
    mimeType: type,
    ...upright(header, notes),
    durationSeconds: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    colourSpace: colourSpaceOf(header.space, coloursOf(header, notes)),
    hasAlpha: header.hasAlpha,
    isAnimated: (header.pages ?? 1) > 1 || notes?.isAnimated === true,
    ...readCameraNotes(header.exif ?? notes?.exif, header.xmp ?? notes?.xmp),
  }
}

const mostExifBytes = 4_000_000
const headWindowBytes = 64 * 1024

/** The camera's notes, before a decoder goes through them. */
async function* exifIn(source: Source, type: PictureType, notes: PngNotes | undefined) {
  if (notes?.exif) yield notes.exif
  if (type === 'image/jpeg')
    for await (const { marker, body } of segmentsOf(windowed(source, headWindowBytes)))
      if (marker === 0xe1) yield await body.read()
  if (type === 'image/webp')
    for await (const { type, read } of chunksOf(windowed(source, headWindowBytes)))
      if (type === 'EXIF') yield await read(mostExifBytes)
}

const endlessNotes = () =>
  unreadable('The notes of the camera in this picture are endless. Export it without them.')

/** A PNG's mark goes before its profile. */
const coloursOf = ({ icc }: Metadata, notes: PngNotes | undefined): Colours =>
  notes?.cicp ? { mark: notes.cicp } : { icc }

function upright({ autoOrient: { width, height } }: Metadata, notes: PngNotes | undefined): Size {
  return (notes?.lateOrientation ?? 1) > 4 ? { width: height, height: width } : { width, height }
}

/** At most `side` pixels each way. JPEG is shrunk while it is read, which is most of the speed. */
export async function decodePicture(
  source: Source,
  type: PictureType,
  side: number,
  limits: Limits,
): Promise<Pixels> {
  const input = source.path ?? (await readAll(source))
  try {
    const header = await metadataOf(input)
    // An interlaced PNG is held whole, and a very wide one costs many times what its pixels would.
    checkSize(header, limits)
    const notes = type === 'image/png' ? await pngNotes(source) : undefined
    const colours = coloursOf(header, notes)
    // What the decoder knows nothing of is made sRGB here; it would take the numbers for something else.
    const isOurs = colours.mark !== undefined || hdrIn(colours) !== undefined
    const shown = open(input, limits, isOurs)
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    const pixels = await turned(await toPixels(shown), notes?.lateOrientation ?? 1)
    return isOurs ? await toSrgb(pixels, colours) : pixels
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw unreadable('The picture is damaged: it cannot be decoded to its end. Export it again.', cause)
  }
}

/** As EXIF numbers it: mirrored, then turned clockwise. */
const turns: Record<number, [mirrored: boolean, degrees: number]> = {
  ...{ 2: [true, 0], 3: [false, 180], 4: [true, 180], 5: [true, 270], 6: [false, 90], 7: [true, 90] },
  8: [false, 270],
}

async function turned(pixels: Pixels, orientation: number): Promise<Pixels> {
  const [mirrored, degrees] = turns[orientation] ?? [false, 0]
  const flopped = mirrored ? await toPixels(encodable(pixels).flop()) : pixels
  return degrees ? toPixels(encodable(flopped).rotate(degrees)) : flopped
}

function checkSize({ format, isProgressive, width, height }: Metadata, limits: Limits) {
  const { maxPixels, maxLinePixels } = limits
  if (format !== 'jpeg') return checkSides(width, height, limits)
  checkSides(width, height, { ...limits, maxPixels: maxLinePixels })
  if (isProgressive && width * height > maxPixels)
    throw new Refusal(
      'too-many-pixels',
      `${width} × ${height} pixels are too many for a progressive JPEG, which has to be held whole: up to ${maxPixels / 1e6} megapixels are taken. Save it as a baseline JPEG, or scale it down.`,
    )
}

export function checkSides(
  width: number,
  height: number,
  { maxSide, maxPixels }: Pick<Limits, 'maxSide' | 'maxPixels'>,
) {
  if (!width || !height) throw unreadable('The header gives the picture no size. Export it again.')
  if (width > maxSide || height > maxSide || width * height > maxPixels) {
    throw new Refusal(
      'too-many-pixels',
      `${width} × ${height} pixels are too many: up to ${maxSide} a side and ${maxPixels / 1e6} megapixels are taken. Scale it down.`,
    )
  }
}

const headBytes = 512 * 1024

/**
 * A local file is opened by the decoder. From a store the head is fetched,
 * and all of it only if that says too little, as with WebP.
 */
async function readHeader(source: Source) {
  try {
    if (source.path) return await metadataOf(source.path)
    if (source.sizeBytes > headBytes) {
      const header = await metadataOf(await source.read(0, headBytes)).catch(() => undefined)
      if (header) return header
    }
    return await metadataOf(await readAll(source))
  } catch (cause) {
    throw unreadable('The header of the picture cannot be read. Export it again.', cause)
  }
}

const metadataOf = (input: string | Uint8Array) => sharp(input, { limitInputPixels: false }).metadata()

/**
 * `truncated`: what browsers show is shown (flipped bits, stray bytes before a marker), but half a picture
 * never passes for a whole one.
 */
function open(input: string | Uint8Array, limits: Limits, ignoreIcc: boolean): Sharp {
  const options: SharpOptions = {
    failOn: 'truncated',
    limitInputPixels: limits.maxLinePixels,
    sequentialRead: true,
    ignoreIcc,
  }
  return sharp(input, options).timeout({ seconds: 25 })
}
