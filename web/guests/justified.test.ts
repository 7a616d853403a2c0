import { expect, test } from 'vitest'
import { justified } from './justified.ts'

test('every row but the last is exactly as wide as there is room, and no picture is left out', () => {
  const ratios = [1.5, 0.66, 1, 3, 0.2, 1.5, 1.5, 1]
  for (const width of [300, 366, 1200]) {
    const rows = justified(ratios, width, 240, 6)
    expect(rows.flatMap(({ from, to }) => ratios.slice(from, to))).toEqual(ratios)
    for (const { from, to, height } of rows.slice(0, -1)) {
      const wide = ratios.slice(from, to).reduce((sum, ratio) => sum + ratio * height, 0)
      expect(wide + 6 * (to - from - 1)).toBeCloseTo(width)
      expect(height).toBeLessThanOrEqual(240)
    }
  }
  expect(justified([], 300, 240, 6)).toEqual([])
})
