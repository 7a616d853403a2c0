import { fileURLToPath } from 'node:url'
import type { Size } from '../../../contract/ratios.ts'
import type { Pixels } from './pixels.ts'
import { sharp } from './sharp.ts'

/** How strongly letters and their shadow are laid over the picture. */
const light = 0.34
const shadow = 0.26
/** The height of a line, as a part of the shorter side; one line and the next are so many heights apart. */
const lineHeight = 0.07
const smallest = 14
const apart = 3.2
const slope = Math.PI / 7

/**
 * The picture with a text repeated over all of it. Letters come from a strip of our own, so that they look the same
 * on every machine, with or without fonts.
 */
export async function marked(pixels: Pixels, text: string): Promise<Pixels> {
  const { channels } = pixels
  const colours = channels < 3 ? 1 : 3
  const data = Uint8Array.from(pixels.data)
  lay(await lineOf(text), pixels, (pixel, kept, added) => {
    const at = pixel * channels
    for (let c = 0; c < colours; c++) data[at + c] = data[at + c]! * kept + added
  })
  return { ...pixels, data }
}

/** The same for every picture of a film, in RGBX: where the text lies is worked out once. */
export async function filmMarker(size: Size, text: string): Promise<(rgbx: Uint8Array) => void> {
  const pixels = size.width * size.height
  const [places, kept, added] = [new Uint32Array(pixels), new Float32Array(pixels), new Float32Array(pixels)]
  let count = 0
  lay(await lineOf(text), size, (pixel, keep, add) => {
    places[count] = pixel * 4
    kept[count] = keep
    added[count++] = add
  })
  return (rgbx) => {
    for (let n = 0; n < count; n++) {
      const at = places[n]!
      for (let c = at; c < at + 3; c++) rgbx[c] = rgbx[c]! * kept[n]! + added[n]!
    }
  }
}

/** Says of each pixel under the text how much of it is kept, and what is added. */
function lay(
  line: Line,
  { width, height }: Size,
  mark: (pixel: number, kept: number, added: number) => void,
): void {
  const scale = Math.max(smallest, Math.min(width, height) * lineHeight) / line.height
  const [cos, sin] = [Math.cos(slope) / scale, Math.sin(slope) / scale]
  const rowHeight = Math.round(line.height * apart)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const v = y * cos + x * sin
      const row = Math.floor(v / rowHeight)
      const down = v - row * rowHeight
      if (down > line.height + 2) continue
      // Each second line is shifted, so that no column of the picture stays free.
      const u = x * cos - y * sin + (row & 1 ? line.width / 2 : 0)
      const ink = sample(line, u, down) * light
      const dark = sample(line, u - 1.5, down - 1.5) * shadow
      if (ink === 0 && dark === 0) continue
      mark(y * width + x, (1 - dark) * (1 - ink), 255 * ink)
    }
}

interface Line {
  data: Uint8Array
  width: number
  height: number
}

/** Between four of the line's own pixels; the line repeats to both sides. */
function sample({ data, width, height }: Line, u: number, v: number): number {
  const [left, top] = [Math.floor(u), Math.floor(v)]
  const [right, below] = [u - left, v - top]
  const at = (x: number, y: number) =>
    y < 0 || y >= height ? 0 : data[y * width + (((x % width) + width) % width)]!
  const upper = at(left, top) * (1 - right) + at(left + 1, top) * right
  const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right
  return (upper * (1 - below) + lower * below) / 255
}

/** Whoever has a letter that the strip has not was refused before. */
async function lineOf(text: string): Promise<Line> {
  const { data, width, height } = await glyphs()
  const letters = [...text.normalize('NFC'), ' ', ' ', ' '].map((letter) =>
    Math.max(0, places.indexOf(letter)),
  )
  const line = { data: new Uint8Array(0), width: letters.reduce((sum, one) => sum + widths[one]!, 0), height }
  line.data = new Uint8Array(line.width * height)
  let at = 0
  for (const letter of letters) {
    for (let y = 0; y < height; y++) {
      const from = y * width + starts[letter]!
      line.data.set(data.subarray(from, from + widths[letter]!), y * line.width + at)
    }
    at += widths[letter]!
  }
  return line
}

let strip: Promise<Line> | undefined

/** Inter, semi-bold, 36 pixels (SIL Open Font License), one letter after another. */
function glyphs(): Promise<Line> {
  strip ??= sharp(fileURLToPath(new URL('watermark-glyphs.png', import.meta.url)))
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(({ data, info: { width, height } }) => ({ data, width, height }))
  return strip
}

/** Printable ASCII and Latin-1: the letters of the strip, and how wide each is. */
const places = Array.from({ length: 0x100 }, (_, code) => code)
  .filter((code) => (code >= 0x20 && code < 0x7f) || code > 0xa0)
  .map((code) => String.fromCharCode(code))
const widths = [
  9, 12, 19, 23, 23, 36, 24, 12, 13, 13, 19, 24, 11, 17, 11, 14, 24, 15, 22, 23, 24, 22, 23, 21, 23, 23, 11,
  12, 24, 24, 24, 20, 36, 26, 24, 27, 26, 22, 21, 27, 27, 10, 21, 25, 20, 33, 27, 28, 23, 28, 23, 23, 24, 26,
  26, 37, 26, 26, 23, 13, 14, 13, 17, 17, 13, 21, 22, 21, 22, 21, 14, 23, 22, 9, 9, 21, 9, 32, 22, 22, 22, 22,
  14, 20, 13, 22, 21, 30, 20, 21, 20, 16, 13, 16, 24, 12, 21, 23, 27, 20, 11, 20, 22, 33, 17, 23, 24, 1, 24,
  16, 16, 24, 16, 17, 13, 22, 22, 11, 12, 12, 18, 23, 30, 31, 33, 20, 26, 26, 26, 26, 26, 26, 36, 27, 22, 22,
  22, 22, 10, 10, 10, 10, 27, 27, 28, 28, 28, 28, 28, 24, 28, 26, 26, 26, 26, 26, 24, 23, 21, 21, 21, 21, 21,
  21, 33, 21, 21, 21, 21, 21, 9, 9, 9, 9, 21, 22, 22, 22, 22, 22, 22, 24, 22, 22, 22, 22, 22, 21, 22, 21,
]
const starts = widths.map((_, index) => widths.slice(0, index).reduce((sum, width) => sum + width, 0))
