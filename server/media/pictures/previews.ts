import { rgbaToThumbHash } from 'thumbhash'
import { type PreviewFormat, type PreviewSize, previewSizes } from '../../../contract/media-types.ts'
import { averages } from './averages.ts'
import { hashSide, perceptualHash } from './perceptual-hash.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'
import { marked } from './watermark.ts'

export interface WantedPreview {
  size: PreviewSize
  format: PreviewFormat
  /** Smaller than its name says. */
  side?: number
}

const sideOf = ({ size, side = previewSizes[size] }: WantedPreview) => side

export interface PreviewPicture extends WantedPreview {
  bytes: Uint8Array
  width: number
  height: number
}

/** All wanted previews from one decoding, each made from the pixels of the next larger one; and the smallest of these. */
export async function encodePreviews(decoded: Pixels, wanted: WantedPreview[], watermark?: string) {
  const pictures: PreviewPicture[] = []
  let pixels = decoded
  for (const side of sidesDescending(wanted)) {
    pixels = await shrink(pixels, side)
    const { width, height } = pixels
    const shown = watermark ? await marked(pixels, watermark) : pixels
    for (const one of wanted.filter((each) => sideOf(each) === side)) {
      pictures.push({ ...one, bytes: await encode(shown, one.format), width, height })
    }
  }
  const asWanted = wanted.map(
    (one) =>
      pictures.find(
        ({ size, format, side }) => size === one.size && format === one.format && side === one.side,
      )!,
  )
  return { pictures: asWanted, smallest: pixels }
}

export const largestSide = (wanted: WantedPreview[]) => Math.max(previewSizes.thumb, ...wanted.map(sideOf))

const sidesDescending = (wanted: WantedPreview[]) => [...new Set(wanted.map(sideOf))].sort((a, b) => b - a)

async function shrink(pixels: Pixels, side: number): Promise<Pixels> {
  if (Math.max(pixels.width, pixels.height) <= side) return pixels
  return toPixels(encodable(pixels).resize({ width: side, height: side, fit: 'inside' }))
}

const encode = (pixels: Pixels, format: PreviewFormat): Promise<Uint8Array> => encoders[format](pixels)

// The lowest effort that costs no visible quality: half the time for a few per cent more bytes.
const encoders: Record<PreviewFormat, (pixels: Pixels) => Promise<Uint8Array>> = {
  webp: (pixels) => encodable(pixels).webp({ quality: 80, effort: 2 }).toBuffer(),
  avif: (pixels) => encodable(pixels).avif({ quality: 55, effort: 0 }).toBuffer(),
  jpeg: (pixels) => encodable(pixels).flatten({ background: '#fff' }).jpeg({ quality: 82 }).toBuffer(),
}

/** A few dozen bytes that a browser paints until the preview is there. */
export function placeholder(pixels: Pixels): string {
  const scale = Math.min(1, 32 / Math.max(pixels.width, pixels.height))
  const [width, height] = [pixels.width, pixels.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  ) as [number, number]
  return Buffer.from(rgbaToThumbHash(width, height, averages(pixels, width, height))).toString('base64')
}

export function hashOf(pixels: Pixels): string | null {
  if (Math.min(pixels.width, pixels.height) < hashSide) return null
  const fields = averages(pixels, hashSide, hashSide)
  return perceptualHash(Uint8Array.from({ length: hashSide ** 2 }, (_, i) => greyOnWhite(fields, i * 4)))
}

function greyOnWhite(fields: Uint8Array, at: number): number {
  const alpha = fields[at + 3]! / 255
  const grey = 0.299 * fields[at]! + 0.587 * fields[at + 1]! + 0.114 * fields[at + 2]!
  return grey * alpha + 255 * (1 - alpha)
}
