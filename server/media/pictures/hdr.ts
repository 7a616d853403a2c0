import type { Pixels } from './pixels.ts'

/** The two ways in which HDR pictures write light: absolute (PQ) and relative to a bright screen (HLG). */
export type HdrTransfer = 'pq' | 'hlg'
export type WidePrimaries = 'bt2020' | 'p3' | 'bt709'

/** What a file says of its colours: primaries and transfer by their numbers in ISO 23091-2. */
export interface ColourMark {
  primaries: number
  transfer: number
}

export interface Hdr {
  transfer: HdrTransfer
  primaries: WidePrimaries
}

const transfers: Record<number, HdrTransfer> = { 16: 'pq', 18: 'hlg' }
const primaries: Record<number, WidePrimaries> = { 1: 'bt709', 9: 'bt2020', 11: 'p3', 12: 'p3' }

export function hdrOf(mark: ColourMark | undefined): Hdr | undefined {
  const transfer = mark && transfers[mark.transfer]
  return transfer && { transfer, primaries: primaries[mark.primaries] ?? 'bt2020' }
}

export const isHdr = (transfer: string | null | undefined): transfer is HdrTransfer =>
  transfer === 'pq' || transfer === 'hlg'

/** Of a white page, in candela per square metre. */
const white = 203

/**
 * HDR to sRGB, in place: light is brought below white with a soft knee, all three colours by the same share, and what
 * lies outside of the gamut is brought in towards grey. So orange stays orange however bright it is.
 */
export function toneMap(
  { data, channels }: Pick<Pixels, 'data' | 'channels'>,
  transfer: HdrTransfer,
  primaries: WidePrimaries = 'bt2020',
): void {
  const light = lights[transfer]
  const [fromRed, fromGreen, fromBlue] = toBt709[primaries]
  const isGrey = channels < 3
  for (let i = 0; i < data.length; i += channels) {
    const [r, g, b] = isGrey
      ? [light[data[i]!]!, light[data[i]!]!, light[data[i]!]!]
      : [light[data[i]!]!, light[data[i + 1]!]!, light[data[i + 2]!]!]
    const shown = transfer === 'hlg' ? (0.2627 * r + 0.678 * g + 0.0593 * b) ** 0.2 : 1
    const peak = Math.max(r, g, b) * shown
    const share = peak > 0 ? (softened(peak) / peak) * shown : 0
    if (isGrey) {
      data[i] = encoded(r * share)
      continue
    }
    const red = (fromRed[0] * r + fromGreen[0] * g + fromBlue[0] * b) * share
    const green = (fromRed[1] * r + fromGreen[1] * g + fromBlue[1] * b) * share
    const blue = (fromRed[2] * r + fromGreen[2] * g + fromBlue[2] * b) * share
    const grey = Math.min(1, 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    const kept = Math.min(within(red, grey), within(green, grey), within(blue, grey))
    data[i] = encoded(grey + (red - grey) * kept)
    data[i + 1] = encoded(grey + (green - grey) * kept)
    data[i + 2] = encoded(grey + (blue - grey) * kept)
  }
}

/** How much of its distance from grey a colour may keep. */
const within = (colour: number, grey: number) =>
  colour < 0 ? grey / (grey - colour) : colour > 1 ? (1 - grey) / (colour - grey) : 1

type Column = readonly [number, number, number]

/** What each primary is in red, green and blue of BT.709. */
const toBt709: Record<WidePrimaries, readonly [Column, Column, Column]> = {
  bt2020: [
    [1.6605, -0.1246, -0.0182],
    [-0.5876, 1.1329, -0.1006],
    [-0.0728, -0.0083, 1.1187],
  ],
  p3: [
    [1.2249, -0.042, -0.0197],
    [-0.2247, 1.0419, -0.0786],
    [0, 0, 1.0979],
  ],
  bt709: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
}

/** Light by signal, 1 being a white page; of HLG before the screen has brightened it. */
const lights: Record<HdrTransfer, Float32Array> = {
  // SMPTE ST 2084
  pq: Float32Array.from({ length: 256 }, (_, value) => {
    const root = (value / 255) ** (1 / 78.84375)
    const nits =
      10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
    return nits / white
  }),
  // ARIB STD-B67 on a screen of 1,000 cd/m², whose gamma of 1.2 is spread over light and `shown`
  hlg: Float32Array.from({ length: 256 }, (_, value) => {
    const signal = value / 255
    const scene =
      signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return scene * (1000 / white) ** (1 / 1.2)
  }),
}

const knee = 0.5
const softened = (light: number) =>
  light <= knee ? light : knee + (1 - knee) * (1 - Math.exp((knee - light) / 0.9))

const steps = 4096
const srgb = Uint8Array.from({ length: steps + 1 }, (_, i) => {
  const light = i / steps
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))
})
const encoded = (light: number) => srgb[Math.max(0, Math.min(steps, Math.round(light * steps)))]!
