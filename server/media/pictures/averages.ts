import type { Pixels } from './pixels.ts'

/**
 * The picture as a few RGBA fields, each the average of what lies under it. For the tiny sizes that hashes are
 * taken from it is cheaper than starting another pipeline.
 */
export function averages(
  { data, width, height, channels }: Pixels,
  across: number,
  down: number,
): Uint8Array {
  const sums = new Float64Array(across * down * 5)
  const isGrey = channels < 3
  const alphaAt = channels === 2 ? 1 : channels === 4 ? 3 : -1
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * down) / height) * across
    for (let x = 0; x < width; x++, at += channels) {
      const field = (row + Math.floor((x * across) / width)) * 5
      const alpha = alphaAt < 0 ? 255 : data[at + alphaAt]!
      sums[field]! += data[at]! * alpha
      sums[field + 1]! += data[at + (isGrey ? 0 : 1)]! * alpha
      sums[field + 2]! += data[at + (isGrey ? 0 : 2)]! * alpha
      sums[field + 3]! += alpha
      sums[field + 4]! += 1
    }
  }
  return fieldsOf(sums, across * down)
}

function fieldsOf(sums: Float64Array, count: number): Uint8Array {
  const fields = new Uint8Array(count * 4)
  for (let i = 0; i < count; i++) {
    const [red, green, blue, alpha, pixels] = sums.subarray(i * 5, i * 5 + 5)
    fields[i * 4] = red! / (alpha! || 1)
    fields[i * 4 + 1] = green! / (alpha! || 1)
    fields[i * 4 + 2] = blue! / (alpha! || 1)
    fields[i * 4 + 3] = alpha! / (pixels! || 1)
  }
  return fields
}
