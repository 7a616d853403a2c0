import { expect, test } from 'vitest'
import { type HdrTransfer, toneMap } from '../pictures/hdr.ts'

const mapped = (transfer: HdrTransfer, ...rgb: [number, number, number]) => {
  const pixel = Uint8Array.from(rgb)
  toneMap({ data: pixel, channels: 3 }, transfer)
  return [...pixel]
}

test.for([
  ['pq', 148], // 58 %: a white page
  ['hlg', 191], // 75 %: the same
] as const)('a white page in %s is nearly white, and highlights stay above it', ([transfer, signal]) => {
  const [page] = mapped(transfer, signal, signal, signal)
  expect(page).toBeGreaterThan(205)
  expect(page).toBeLessThan(240)
  expect(mapped(transfer, 255, 255, 255)[0]).toBeGreaterThan(page! + 10)
  expect(mapped(transfer, 0, 0, 0)).toEqual([0, 0, 0])
})

test('grey stays grey, and brighter stays brighter', () => {
  for (const transfer of ['pq', 'hlg'] as const) {
    const greys = [20, 60, 100, 140, 180, 220].map((value) => mapped(transfer, value, value, value))
    for (const [red, green, blue] of greys)
      expect(Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!)).toBeLessThan(3)
    expect(greys.map(([red]) => red)).toEqual(greys.map(([red]) => red!).toSorted((a, b) => a - b))
  }
})

test('orange stays orange however bright it is', () => {
  const hueOf = ([red, green, blue]: number[]) => (green! - blue!) / (red! - blue!)
  for (const transfer of ['pq', 'hlg'] as const) {
    const hues = [0.6, 0.7, 0.8, 0.9, 1].map((level) =>
      hueOf(mapped(transfer, Math.round(255 * level), Math.round(205 * level), Math.round(120 * level))),
    )
    // Orange lies between red (0) and yellow (1). The signal is no measure of light: a little drift is its own.
    expect(Math.max(...hues)).toBeLessThan(0.75)
  }
})
