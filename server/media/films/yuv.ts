import type { VideoSample } from 'mediabunny'
import { isHdr, toneMap } from '../pictures/hdr.ts'
import { type Pixels, toPixels } from '../pictures/pixels.ts'
import { sharp } from '../pictures/sharp.ts'

/**
 * A frame of a video as sRGB, scaled to the given size. Our own conversion, because the decoder's takes every
 * video for standard definition, which turns the greens of an HD video neon.
 */
export async function frameToPixels(frame: VideoSample, width: number, height: number): Promise<Pixels> {
  const layout = frame.format && layouts[frame.format]
  if (!layout) return viaRgba(frame, width, height)
  const [y, u, v] = await planes(frame, layout, width, height)
  const data = toRgb(y!, u!, v!, matrixOf(frame))
  const pixels: Pixels = { data, width, height, channels: 3 }
  const { transfer } = frame.colorSpace
  if (isHdr(transfer)) toneMap(pixels, transfer)
  return pixels
}

interface Layout {
  /** How much smaller the colour planes are. */
  across: 1 | 2
  down: 1 | 2
  bits: 8 | 10 | 12
}

const layouts: Partial<Record<NonNullable<VideoSample['format']>, Layout>> = {
  I420: { across: 2, down: 2, bits: 8 },
  I422: { across: 2, down: 1, bits: 8 },
  I444: { across: 1, down: 1, bits: 8 },
  I420P10: { across: 2, down: 2, bits: 10 },
  I422P10: { across: 2, down: 1, bits: 10 },
  I444P10: { across: 1, down: 1, bits: 10 },
  I420P12: { across: 2, down: 2, bits: 12 },
}

async function planes(
  frame: VideoSample,
  { across, down, bits }: Layout,
  width: number,
  height: number,
): Promise<Uint8Array[]> {
  const data = new Uint8Array(frame.allocationSize())
  const laidOut = await frame.copyTo(data)
  const { codedWidth, codedHeight } = frame
  const [colourWidth, colourHeight] = [Math.ceil(codedWidth / across), Math.ceil(codedHeight / down)]
  return Promise.all(
    laidOut.slice(0, 3).map(async ({ offset, stride }, i) => {
      const [w, h] = i === 0 ? [codedWidth, codedHeight] : [colourWidth, colourHeight]
      const plane =
        bits === 8 ? packed8(data, offset, stride, w, h) : packed16(data, offset, stride, w, h, bits)
      return sharp(plane, { raw: { width: w, height: h, channels: 1 } })
        .resize(width, height, { fit: 'fill' })
        .extractChannel(0)
        .raw()
        .toBuffer()
    }),
  )
}

function packed8(
  data: Uint8Array,
  offset: number,
  stride: number,
  width: number,
  height: number,
): Uint8Array {
  if (stride === width) return data.subarray(offset, offset + width * height)
  const plane = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    plane.set(data.subarray(offset + row * stride, offset + row * stride + width), row * width)
  }
  return plane
}

function packed16(
  data: Uint8Array,
  offset: number,
  stride: number,
  width: number,
  height: number,
  bits: number,
): Uint8Array {
  const plane = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = offset + row * stride + column * 2
      plane[row * width + column] = (data[at]! | (data[at + 1]! << 8)) >> (bits - 8)
    }
  }
  return plane
}

interface Matrix {
  red: number
  blue: number
  fullRange: boolean
}

/** The weights of red and blue in brightness. An unmarked video is taken as players take it: by its size. */
function matrixOf({ colorSpace, codedWidth, codedHeight }: VideoSample): Matrix {
  const isHd = codedWidth >= 1280 || codedHeight > 576
  const named = weights[colorSpace.matrix ?? ''] ?? weights[isHd ? 'bt709' : 'smpte170m']!
  return { ...named, fullRange: colorSpace.fullRange ?? false }
}

const weights: Record<string, { red: number; blue: number }> = {
  bt709: { red: 0.2126, blue: 0.0722 },
  smpte170m: { red: 0.299, blue: 0.114 },
  bt470bg: { red: 0.299, blue: 0.114 },
  'bt2020-ncl': { red: 0.2627, blue: 0.0593 },
}

function toRgb(y: Uint8Array, u: Uint8Array, v: Uint8Array, { red, blue, fullRange }: Matrix): Uint8Array {
  const green = 1 - red - blue
  const [black, gain, chroma] = fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224]
  const toRed = 2 * (1 - red) * chroma
  const toBlue = 2 * (1 - blue) * chroma
  const greenFromU = (toBlue * blue) / green
  const greenFromV = (toRed * red) / green
  const rgb = new Uint8ClampedArray(y.length * 3)
  for (let i = 0; i < y.length; i++) {
    const light = (y[i]! - black) * gain
    const [cb, cr] = [u[i]! - 128, v[i]! - 128]
    rgb[i * 3] = light + toRed * cr
    rgb[i * 3 + 1] = light - greenFromU * cb - greenFromV * cr
    rgb[i * 3 + 2] = light + toBlue * cb
  }
  return new Uint8Array(rgb.buffer)
}

async function viaRgba(frame: VideoSample, width: number, height: number): Promise<Pixels> {
  const data = new Uint8Array(frame.allocationSize({ format: 'RGBA' }))
  await frame.copyTo(data, { format: 'RGBA' })
  const raw = { width: frame.codedWidth, height: frame.codedHeight, channels: 4 as const }
  return toPixels(sharp(data, { raw }).removeAlpha().resize(width, height, { fit: 'fill' }))
}
