import { sharp } from './sharp.ts'

/** A decoded picture: upright, sRGB, 8 bits a channel, grey or colour, with or without alpha. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

export const encodable = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels } })

/** The end of every decoding: upright and downscaled by the caller, here made sRGB and laid out as bytes. */
export async function toPixels(pipeline: ReturnType<typeof sharp>): Promise<Pixels> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels['channels'] }
}
