import sharp from 'sharp'
import type { Cut } from '../contract/ratios.ts'

/**
 * A picture in which every place looks different: grey fields that tell where they are, and one red field that draws
 * the eye. `at`: the middle of that, 0 to 1 each way.
 */
export async function testCard(width: number, height: number, at: { x: number; y: number }) {
  const data = Buffer.alloc(width * height * 3)
  const [left, top] = [Math.round(at.x * width), Math.round(at.y * height)]
  const side = Math.round(Math.min(width, height) / 12)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const grey = 96 + (((x >> 4) * 11 + (y >> 4) * 29) % 64)
      const isRed = Math.abs(x - left) < side && Math.abs(y - top) < side
      data.set(isRed ? [230, 20, 30] : [grey, grey, grey], (y * width + x) * 3)
    }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** How far a picture is, pixel by pixel, from this part of the card, in whatever size: the mean of all channels. */
export async function distanceTo(card: Buffer, cut: Cut, picture: Buffer): Promise<number> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const part = await sharp(card)
    .extract(cut)
    .resize({ width: info.width, height: info.height, fit: 'fill' })
    .raw()
    .toBuffer()
  let sum = 0
  for (let i = 0; i < part.length; i++) sum += Math.abs(part[i]! - data[i]!)
  return sum / part.length
}
