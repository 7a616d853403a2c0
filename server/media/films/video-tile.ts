import type { Pixels } from '../pictures/pixels.ts'

type Colour = readonly [number, number, number]
const background: Colour = [32, 37, 46]
const ink: Colour = [201, 208, 220]

/**
 * Stands for a video where nothing can decode it: a strip of film with a play mark, and how long it runs.
 * Drawn pixel by pixel, because no loader for drawings is let into the process.
 */
export function drawVideoTile(width: number, height: number, durationSeconds: number): Pixels {
  const data = new Uint8Array(width * height * 3)
  const unit = Math.min(width, height) / 100
  const label = labelOf(durationSeconds)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x + 0.5 - width / 2) / unit, (y + 0.5 - height / 2) / unit]
      const cover = Math.max(inked(strip(u, v + 8), unit), inked(digits(label, u, v - 36), unit))
      for (let c = 0; c < 3; c++)
        data[(y * width + x) * 3 + c] = background[c]! + (ink[c]! - background[c]!) * cover
    }
  }
  return { data, width, height, channels: 3 }
}

/** Shapes are distances: negative inside, in hundredths of the shorter side. The edge is one pixel soft. */
const inked = (distance: number, unit: number) => Math.max(0, Math.min(1, 0.5 - distance * unit))

function strip(u: number, v: number): number {
  const frame = Math.abs(box(u, v, 34, 24, 4)) - 1.2
  const holes = box(Math.abs(u) - 28, ((v + 40) % 9.6) - 4.8, 2, 2, 0.8)
  const play = triangle(u + 1.5, v, 11)
  return Math.min(frame, Math.abs(v) < 19.2 ? holes : frame, play)
}

function box(u: number, v: number, halfWidth: number, halfHeight: number, round: number): number {
  const [du, dv] = [Math.abs(u) - halfWidth + round, Math.abs(v) - halfHeight + round]
  return Math.hypot(Math.max(du, 0), Math.max(dv, 0)) + Math.min(Math.max(du, dv), 0) - round
}

const triangle = (u: number, v: number, size: number) =>
  Math.max(-u - size * 0.6, u * 0.5 + Math.abs(v) * 0.866 - size * 0.55)

// Five columns by seven rows, one number a row.
const glyphs: Record<string, number[]> = {
  '0': [14, 17, 19, 21, 25, 17, 14],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 2, 4, 8, 31],
  '3': [31, 2, 4, 2, 1, 17, 14],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '5': [31, 16, 30, 1, 1, 17, 14],
  '6': [6, 8, 16, 30, 17, 17, 14],
  '7': [31, 1, 2, 4, 8, 8, 8],
  '8': [14, 17, 17, 14, 17, 17, 14],
  '9': [14, 17, 17, 15, 1, 2, 12],
  ':': [0, 4, 4, 0, 4, 4, 0],
}

function digits(label: string, u: number, v: number): number {
  const dot = 1.4
  const column = Math.floor(u / dot + (label.length * 6 - 1) / 2)
  const row = Math.floor(v / dot + 3.5)
  const glyph = glyphs[label[Math.floor(column / 6)] ?? '']
  const on = glyph && row >= 0 && row < 7 && column % 6 < 5 && (glyph[row]! >> (4 - (column % 6))) & 1
  return on ? -1 : 1
}

function labelOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
