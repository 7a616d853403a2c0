import { encodable, type Pixels, toPixels } from './pixels.ts'
import { type Cut, cutFor, type FocalPoint, type Recipe, type Size, sizeFor, tooSmall } from './recipe.ts'

export interface Rendition extends Size {
  bytes: Uint8Array
  mimeType: `image/${Recipe['format']}`
}

/** Nothing can be made by this recipe, and why. */
export interface Refused {
  refused: string
}

/** Where the pixels come from: the whole picture, upright, at most `side` each way. */
export interface Original extends Size {
  decode(side: number): Promise<Pixels>
}

export async function makeRendition(
  original: Original,
  recipe: Recipe,
  focus?: FocalPoint,
): Promise<Rendition | Refused> {
  const cut = cutFor(original, recipe, focus)
  const size = sizeFor(cut, recipe)
  const small = tooSmall(size, recipe)
  if (small) return { refused: small }

  const scale = size.width / cut.width
  const whole = await original.decode(Math.ceil(Math.max(original.width, original.height) * scale))
  const pixels = await cutOut(whole, scaledCut(cut, whole, original), size)
  return withinBytes(pixels, recipe)
}

function scaledCut(cut: Cut, whole: Size, original: Size): Cut {
  const [across, down] = [whole.width / original.width, whole.height / original.height]
  const left = Math.min(whole.width - 1, Math.round(cut.left * across))
  const top = Math.min(whole.height - 1, Math.round(cut.top * down))
  return {
    left,
    top,
    width: Math.max(1, Math.min(whole.width - left, Math.round(cut.width * across))),
    height: Math.max(1, Math.min(whole.height - top, Math.round(cut.height * down))),
  }
}

async function cutOut(whole: Pixels, cut: Cut, size: Size): Promise<Pixels> {
  if (
    cut.width === whole.width &&
    cut.height === whole.height &&
    cut.width === size.width &&
    cut.height === size.height
  )
    return whole
  return toPixels(
    encodable(whole)
      .extract(cut)
      .resize({ ...size, fit: 'fill' }),
  )
}

const lowestQuality = 50
const qualityStep = 8
const shrinkStep = 0.85

/** Too many bytes: less quality first, then fewer pixels. Too few: the best quality there is. */
async function withinBytes(pixels: Pixels, recipe: Recipe): Promise<Rendition | Refused> {
  const { maxBytes = Infinity, minBytes = 0 } = recipe
  for (let current = pixels; ; current = await smaller(current, recipe)) {
    for (const quality of qualities(recipe)) {
      const bytes = await encode(current, recipe, quality)
      if (bytes.length <= maxBytes && bytes.length >= minBytes) return rendition(current, recipe, bytes)
      if (bytes.length < minBytes) return fuller(current, recipe)
    }
    if (tooSmall(smallerSize(current, recipe), { minWidth: 64, minHeight: 64, ...recipe })) {
      return {
        refused: `It cannot be brought below ${inKilobytes(maxBytes)} without becoming too small. Use a simpler picture.`,
      }
    }
  }
}

async function fuller(pixels: Pixels, recipe: Recipe): Promise<Rendition | Refused> {
  const { maxBytes = Infinity, minBytes = 0 } = recipe
  const bytes = await encode(pixels, recipe, 100)
  if (bytes.length >= minBytes && bytes.length <= maxBytes) return rendition(pixels, recipe, bytes)
  return {
    refused: `It has only ${inKilobytes(bytes.length)}; at least ${inKilobytes(minBytes)} are needed. Use a larger picture.`,
  }
}

function* qualities({ format, quality = 85 }: Recipe) {
  yield quality
  if (format === 'png') return
  for (let lower = quality - qualityStep; lower >= lowestQuality; lower -= qualityStep) yield lower
}

const smallerSize = (size: Size, { ratio }: Recipe) =>
  sizeFor(size, { format: 'png', maxWidth: size.width * shrinkStep, ...(ratio && { ratio }) })

const smaller = (pixels: Pixels, recipe: Recipe) =>
  toPixels(encodable(pixels).resize({ ...smallerSize(pixels, recipe), fit: 'fill' }))

function encode(
  pixels: Pixels,
  { format, background = '#fff' }: Recipe,
  quality: number,
): Promise<Uint8Array> {
  if (format === 'png') return encodable(pixels).png().toBuffer()
  if (format === 'webp') return encodable(pixels).webp({ quality }).toBuffer()
  return encodable(pixels).flatten({ background }).jpeg({ quality }).toBuffer()
}

const rendition = ({ width, height }: Size, { format }: Recipe, bytes: Uint8Array): Rendition => ({
  bytes,
  mimeType: `image/${format}`,
  width,
  height,
})

const inKilobytes = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`
