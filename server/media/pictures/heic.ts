import { boxesAreWhole } from './boxes.ts'
import { type Colours, colourSpaceOf } from './colour-space.ts'
import { readCameraNotes } from './exif.ts'
import type { Header, Limits } from './inspection.ts'
import { type HeifImage, withPrimaryImage } from './libheif.ts'
import { checkSides } from './picture.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'
import { cutShort, Refusal, unreadable } from './refusal.ts'
import { readAll, type Source } from './source.ts'
import { toSrgb } from './to-srgb.ts'

export async function inspectHeic(source: Source, limits: Limits): Promise<Header> {
  if (!(await boxesAreWhole(source))) throw cutShort()
  return look(source, limits, (image) => ({
    mimeType: 'image/heic',
    width: image.width,
    height: image.height,
    durationSeconds: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    colourSpace: colourSpaceOf('srgb', coloursOf(image)),
    hasAlpha: image.hasAlpha,
    isAnimated: false,
    ...readCameraNotes(image.exif, image.xmp),
  }))
}

/** What it says beside the picture. */
export const marksOfHeic = (source: Source, limits: Limits) =>
  look(source, limits, ({ exif, xmp }) => ({ exif, xmp }))

/** At most `side` pixels each way. With `instant`, the small picture that the camera put in is good enough. */
export async function decodeHeic(
  source: Source,
  side: number,
  limits: Limits,
  instant = false,
): Promise<Pixels> {
  const [pixels, colours] = await look(source, limits, async (image) => {
    const chosen = (instant && usableThumbnail(image)) || image
    return [await shrink(chosen.decode(), side), coloursOf(image)] as const
  })
  return toSrgb(pixels, colours)
}

const coloursOf = ({ icc, nclx }: HeifImage): Colours => ({ icc, mark: nclx })

async function look<T>(
  source: Source,
  limits: Limits,
  answer: (image: HeifImage) => T | Promise<T>,
): Promise<T> {
  const file = await readAll(source)
  try {
    return await withPrimaryImage(file, Math.floor(Math.sqrt(limits.maxPixels)), (image) => {
      if (image.itemType === 'av01') throw notHeic('AVIF')
      checkSides(image.width, image.height, limits)
      return answer(image)
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw unreadable(
      'The HEIC picture is damaged and cannot be decoded. Export it again, or send it as JPEG.',
      error,
    )
  }
}

/** The camera's own thumbnail, unless it is tiny or shows another cut of the scene. */
function usableThumbnail(image: HeifImage): HeifImage | undefined {
  const small = image.thumbnail
  if (!small || Math.max(small.width, small.height) < 160) return undefined
  const stretch = (small.width / small.height) * (image.height / image.width)
  return Math.abs(stretch - 1) < 0.03 ? small : undefined
}

const shrink = (pixels: Pixels, side: number) =>
  toPixels(encodable(pixels).resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true }))

const notHeic = (what: string) =>
  new Refusal(
    'type-mismatch',
    `The file was announced as HEIC, but it is ${what}. That type is not taken: export it as JPEG, PNG, WebP or HEIC.`,
  )
