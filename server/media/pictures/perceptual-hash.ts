/** Side of the grey square that the hash is taken from. */
export const hashSide = 32
const kept = 8

/**
 * 64 bits that barely change when a picture is recompressed or resized: the signs of its lowest
 * frequencies against their median. Null for a flat picture, whose bits would be noise.
 */
export function perceptualHash(grey: Uint8Array): string | null {
  const frequencies = lowFrequencies(grey)
  const varying = frequencies.slice(1)
  if (varying.every((value) => Math.abs(value) < 8)) return null

  const median = varying.toSorted((a, b) => a - b)[varying.length >> 1]!
  let bits = 0n
  for (const value of frequencies) bits = (bits << 1n) | (value > median ? 1n : 0n)
  return bits.toString(16).padStart(16, '0')
}

/** How many of the 64 bits differ. Up to about 6: the same picture; unrelated ones differ in about 32. */
export function hammingDistance(a: string, b: string): number {
  let different = BigInt(`0x${a}`) ^ BigInt(`0x${b}`)
  let count = 0
  for (; different; different &= different - 1n) count++
  return count
}

const cosines = Array.from({ length: kept }, (_, frequency) =>
  Float64Array.from({ length: hashSide }, (_, at) =>
    Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * hashSide)),
  ),
)

/** The 8 × 8 corner of the two-dimensional cosine transform, rows first, then columns. */
function lowFrequencies(grey: Uint8Array): number[] {
  const rows = cosines.map((wave) =>
    Float64Array.from({ length: hashSide }, (_, y) => {
      let sum = 0
      for (let x = 0; x < hashSide; x++) sum += grey[y * hashSide + x]! * wave[x]!
      return sum
    }),
  )
  return cosines.flatMap((wave) =>
    rows.map((row) => {
      let sum = 0
      for (let y = 0; y < hashSide; y++) sum += row[y]! * wave[y]!
      return (sum * 2) / hashSide
    }),
  )
}
