import type { Cut, Size } from '../../../contract/ratios.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'
import { marked } from './watermark.ts'

/** What to make of a picture, which always stands upright. Metadata is left out but for the packet, and colours are sRGB. */
export interface Transformation {
  /** The whole picture, in whose pixels the cut is measured. */
  original: Size
  cut: Cut
  /** Largest first: the next one is made when the bytes are still too many at the last quality. */
  sizes: [Size, ...Size[]]
  format: 'jpeg' | 'png' | 'webp'
  /** 1 to 100, tried in this order. PNG has only one. */
  qualities: [number, ...number[]]
  maxBytes?: number | undefined
  minBytes?: number | undefined
  /** What transparent parts lie on where the format has no transparency. */
  background?: string | undefined
  watermark?: string | undefined
  /** XMP that goes out with it. */
  packet?: string | undefined
}

export interface Rendition extends Size {
  bytes: Uint8Array
  mimeType: `image/${Transformation['format']}`
}

/** The last try, which had too many bytes or too few. */
export interface Missed {
  missed: 'maxBytes' | 'minBytes'
  sizeBytes: number
}

/** The whole picture, upright, at most `side` each way. */
export type Decode = (side: number) => Promise<Pixels>

export async function transform(decode: Decode, order: Transformation): Promise<Rendition | Missed> {
  const { original, cut, sizes } = order
  const scale = sizes[0].width / cut.width
  const whole = await decode(Math.ceil(Math.max(original.width, original.height) * scale))
  const picture = await cutOut(whole, scaledCut(cut, whole, original), sizes[0])
  return withinBytes(order.watermark ? await marked(picture, order.watermark) : picture, order)
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
  if (isSize(whole, cut) && isSize(whole, size)) return whole
  return toPixels(
    encodable(whole)
      .extract(cut)
      .resize({ ...size, fit: 'fill' }),
  )
}

/** Too many bytes: less quality first, then fewer pixels. Too few: the best quality there is. */
async function withinBytes(pixels: Pixels, order: Transformation): Promise<Rendition | Missed> {
  const { maxBytes = Infinity, minBytes = 0 } = order
  let sizeBytes = 0
  for (const size of order.sizes) {
    const scaled = await scaledTo(pixels, size)
    for (const quality of order.format === 'png' ? [100] : order.qualities) {
      const bytes = await encode(scaled, order, quality)
      if (bytes.length < minBytes) return fuller(scaled, order)
      if (bytes.length <= maxBytes) return rendition(scaled, order, bytes)
      sizeBytes = bytes.length
    }
  }
  return { missed: 'maxBytes', sizeBytes }
}

async function fuller(pixels: Pixels, order: Transformation): Promise<Rendition | Missed> {
  const { maxBytes = Infinity, minBytes = 0 } = order
  const bytes = await encode(pixels, order, 100)
  if (bytes.length >= minBytes && bytes.length <= maxBytes) return rendition(pixels, order, bytes)
  return { missed: 'minBytes', sizeBytes: bytes.length }
}

const scaledTo = async (pixels: Pixels, size: Size) =>
  isSize(pixels, size) ? pixels : toPixels(encodable(pixels).resize({ ...size, fit: 'fill' }))

const isSize = (one: Size, other: Size) => one.width === other.width && one.height === other.height

function encode(
  pixels: Pixels,
  { format, background = '#fff', packet }: Transformation,
  quality: number,
): Promise<Uint8Array> {
  const picture = packet === undefined ? encodable(pixels) : encodable(pixels).withXmp(packet)
  if (format === 'png') return picture.png().toBuffer()
  if (format === 'webp') return picture.webp({ quality }).toBuffer()
  return picture.flatten({ background }).jpeg({ quality }).toBuffer()
}

const rendition = ({ width, height }: Size, { format }: Transformation, bytes: Uint8Array): Rendition => ({
  bytes,
  mimeType: `image/${format}`,
  width,
  height,
})
