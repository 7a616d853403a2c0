/** The two ways in which HDR video writes light: absolute (PQ) and relative to a bright screen (HLG). */
export type HdrTransfer = 'pq' | 'hlg'

/** Of a white page, in candela per square metre. */
const white = 203

/** BT.2020 HDR to sRGB, in place: light is brought below white with a soft knee, then the colours into the gamut. */
export function toneMap(rgb: Uint8Array, transfer: HdrTransfer): void {
  const light = Float32Array.from({ length: 256 }, (_, value) =>
    softened(nits[transfer](value / 255) / white),
  )
  for (let i = 0; i < rgb.length; i += 3) {
    const [r, g, b] = [light[rgb[i]!]!, light[rgb[i + 1]!]!, light[rgb[i + 2]!]!]
    rgb[i] = encoded(1.6605 * r - 0.5876 * g - 0.0728 * b)
    rgb[i + 1] = encoded(-0.1246 * r + 1.1329 * g - 0.0083 * b)
    rgb[i + 2] = encoded(-0.0182 * r - 0.1006 * g + 1.1187 * b)
  }
}

const nits: Record<HdrTransfer, (signal: number) => number> = {
  // SMPTE ST 2084
  pq(signal) {
    const root = signal ** (1 / 78.84375)
    return 10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  },
  // ARIB STD-B67 on a screen of 1,000 cd/m²
  hlg(signal) {
    const scene =
      signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return 1000 * scene ** 1.2
  },
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
