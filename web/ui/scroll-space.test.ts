import { expect, test } from 'vitest'
import { rowHeights } from './row-heights.ts'
import { scrollSpace } from './scroll-space.ts'

test('a list that a browser can draw is scrolled as it is', () => {
  const { height, toList, toBar } = scrollSpace(240_000, 800)
  expect([height, toList(1234), toBar(1234)]).toEqual([240_000, 1234, 1234])
})

test('the bar of a taller list leads to the same share of it, and pixel by pixel at its ends', () => {
  const [total, view] = [245_000_000, 800]
  const { height, leap, toList, toBar } = scrollSpace(total, view)
  const [bar, list] = [height - view, total - view]
  expect(height).toBeLessThan(3_300_000)
  for (const share of [0.1, 0.25, 0.5, 0.75, 0.99])
    expect(Math.abs(toList(bar * share) / list - share)).toBeLessThan(0.01)
  expect([toList(0), toList(5000), toList(bar - 5000), toList(bar)]).toEqual([0, 5000, list - 5000, list])
  let before = -1
  for (let top = 0; top <= bar; top += 977) {
    const offset = toList(top)
    expect(offset).toBeGreaterThan(before)
    expect(toBar(offset)).toBeCloseTo(top, 3)
    before = offset
  }
  // What a wheel or a finger does between two looks is no leap; a pixel of the bar is one.
  expect(leap).toBeGreaterThan(view)
  expect(leap).toBeLessThan(height / view / 3)
})

test('rows of two heights stand below each other, and each is found by where it stands', () => {
  const rows = rowHeights(
    [
      { count: 3, height: 64, above: 8 },
      { count: 200_000, height: 245, above: 8 },
    ],
    104,
  )
  expect(rows.total).toBe(8 + 3 * 64 + 8 + 200_000 * 245 + 104)
  expect([0, 2, 3, 199_999].map(rows.startOf)).toEqual([8, 136, 208, 208 + 199_996 * 245])
  for (const row of [0, 1, 2, 3, 4, 1000, 199_999, 200_002]) {
    expect(rows.rowAt(rows.startOf(row))).toBe(row)
    expect(rows.rowAt(rows.endOf(row) - 1)).toBe(row)
  }
  expect([rows.rowAt(-5), rows.rowAt(1e12)]).toEqual([0, 200_002])
  expect(rowHeights([{ count: 0, height: 32 }]).total).toBe(0)
})
