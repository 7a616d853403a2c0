import { expect, test } from 'vitest'
import { layoutOf, moved } from './layout.ts'

test('folders stand in rows of their own above the assets', () => {
  const layout = layoutOf(6, 7, 4)
  expect(layout.rowCount).toBe(4)
  expect(layout.span(1)).toEqual([4, 6])
  expect(layout.span(2)).toEqual([6, 10])
  expect(layout.span(3)).toEqual([10, 13])
})

test('down from a short row and up into it stays in the column, or at its end', () => {
  const layout = layoutOf(6, 7, 4)
  expect(moved(layout, 5, 'ArrowDown', 1)).toBe(7)
  expect(moved(layout, 9, 'ArrowUp', 1)).toBe(5)
  expect(moved(layout, 12, 'ArrowDown', 1)).toBe(12)
})

test('the first key enters the grid, other keys do not move', () => {
  const layout = layoutOf(0, 3, 2)
  expect(moved(layout, -1, 'ArrowDown', 1)).toBe(0)
  expect(moved(layout, 1, 'x', 1)).toBeUndefined()
  expect(moved(layoutOf(0, 0, 2), -1, 'ArrowDown', 1)).toBeUndefined()
})
