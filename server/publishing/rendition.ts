import type { StillType } from '../../contract/media-types.ts'
import type { Size } from '../../contract/ratios.ts'
import type { Media } from '../media/media.ts'
import type { Missed, Rendition, Transformation } from '../media/pictures/rendition.ts'
import type { Source } from '../media/pictures/source.ts'
import type { Carried } from '../media/provenance/kept-marks.ts'
import { cutFor, type Recipe, sizeFor, tooSmall } from './recipe.ts'

export interface Picture extends Size {
  source: Source
  mimeType: StillType
  /** XMP that goes out with what is made of it. */
  packet?: string | undefined
  /** What a manifest says of it, where what is made is signed. */
  carried?: Carried | undefined
}

/** Nothing can be made by this recipe, and why. */
export interface Refused {
  refused: string
}

/** A picture made by a recipe; or why there can be none. */
export async function makeRendition(
  media: Media,
  picture: Picture,
  recipe: Recipe,
): Promise<Rendition | Refused> {
  const cut = cutFor(picture, recipe)
  const size = sizeFor(cut, recipe)
  const small = tooSmall(size, recipe)
  if (small) return { refused: small }

  const { format, quality = 85, maxBytes, minBytes, background, watermark } = recipe
  const order: Transformation = {
    original: { width: picture.width, height: picture.height },
    cut,
    sizes: [size, ...smallerSizes(size, recipe)],
    format,
    qualities: [quality, ...lowerQualities(quality)],
    maxBytes,
    minBytes,
    background,
    watermark,
    packet: picture.packet,
  }
  const made = await media.rendition(picture.source, picture.mimeType, order, picture.carried)
  return 'missed' in made ? { refused: inWords(made, recipe) } : made
}

const lowestQuality = 50
const qualityStep = 8
const shrinkStep = 0.85

function* lowerQualities(quality: number) {
  for (let lower = quality - qualityStep; lower >= lowestQuality; lower -= qualityStep) yield lower
}

function* smallerSizes(first: Size, recipe: Recipe) {
  const smallest = { minWidth: 64, minHeight: 64, ...recipe }
  for (let size = shrunk(first, recipe); !tooSmall(size, smallest); size = shrunk(size, recipe)) yield size
}

const shrunk = (size: Size, { ratio }: Recipe) =>
  sizeFor(size, { format: 'png', maxWidth: size.width * shrinkStep, ...(ratio && { ratio }) })

const inWords = ({ missed, sizeBytes }: Missed, { maxBytes = 0, minBytes = 0 }: Recipe) =>
  missed === 'maxBytes'
    ? `It cannot be brought below ${inKilobytes(maxBytes)} without becoming too small. Use a simpler picture.`
    : `It has only ${inKilobytes(sizeBytes)}; at least ${inKilobytes(minBytes)} are needed. Use a larger picture.`

const inKilobytes = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`
