import { rgbaToThumbHash } from 'thumbhash'
import { hashSide, perceptualHash } from './perceptual-hash.ts'
import { encodable, hasAlpha, type Pixels, toPixels } from './pixels.ts'
import { type PreviewFormat, previewSizes, type WantedPreview } from './preview-sizes.ts'

export interface PreviewPicture extends WantedPreview {
  bytes: Uint8Array
  width: number
  height: number
}

/** All wanted previews from one decoding, each made from the pixels of the next larger one. */
export async function encodePreviews(decoded: Pixels, wanted: WantedPreview[]): Promise<PreviewPicture[]> {
  const pictures: PreviewPicture[] = []
  let pixels = decoded
  for (const size of bySizeDescending(wanted)) {
    pixels = await shrink(pixels, previewSizes[size])
    for (const { format } of wanted.filter((one) => one.size === size)) {
      pictures.push({
        size,
        format,
        bytes: await encode(pixels, format),
        width: pixels.width,
        height: pixels.height,
      })
    }
  }
  return wanted.map((one) => pictures.find(({ size, format }) => size === one.size && format === one.format)!)
}

export const largestSide = (wanted: WantedPreview[]) =>
  Math.max(...wanted.map(({ size }) => previewSizes[size]))

const bySizeDescending = (wanted: WantedPreview[]) =>
  [...new Set(wanted.map(({ size }) => size))].sort((a, b) => previewSizes[b] - previewSizes[a])

async function shrink(pixels: Pixels, side: number): Promise<Pixels> {
  if (Math.max(pixels.width, pixels.height) <= side) return pixels
  return toPixels(encodable(pixels).resize({ width: side, height: side, fit: 'inside' }))
}

const encode = (pixels: Pixels, format: PreviewFormat): Promise<Uint8Array> => encoders[format](pixels)

const encoders: Record<PreviewFormat, (pixels: Pixels) => Promise<Uint8Array>> = {
  webp: (pixels) => encodable(pixels).webp({ quality: 80 }).toBuffer(),
  avif: (pixels) => encodable(pixels).avif({ quality: 55, effort: 2 }).toBuffer(),
  jpeg: (pixels) => encodable(pixels).flatten({ background: '#fff' }).jpeg({ quality: 82 }).toBuffer(),
}

/** A few dozen bytes that a browser paints until the preview is there. */
export async function placeholder(pixels: Pixels): Promise<string> {
  const { data, info } = await encodable(pixels)
    .resize({ width: 32, height: 32, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

export async function hashOf(pixels: Pixels): Promise<string | null> {
  const opaque = hasAlpha(pixels) ? encodable(pixels).flatten({ background: '#fff' }) : encodable(pixels)
  const grey = await opaque
    .resize({ width: hashSide, height: hashSide, fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return perceptualHash(grey)
}
