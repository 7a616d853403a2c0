import { expect, test } from 'vitest'
import { dayOf, daysLeft, endOfDay, lastDayOf } from './rights-end.ts'

test('rights last through the day that was chosen', () => {
  const end = endOfDay('2026-02-28')
  expect(new Date(end)).toEqual(new Date(2026, 2, 1))
  expect(dayOf(lastDayOf(end))).toBe('2026-02-28')
})

test('nothing presses without an end, or while it is far away', () => {
  const now = new Date(2026, 5, 10, 9)
  expect(daysLeft(null, now)).toBeNull()
  expect(daysLeft(endOfDay('2026-12-31'), now)).toBeNull()
})

test('the days left are counted by the calendar', () => {
  const now = new Date(2026, 5, 10, 23, 50)
  expect(daysLeft(endOfDay('2026-06-10'), now)).toBe(0)
  expect(daysLeft(endOfDay('2026-06-11'), now)).toBe(1)
  expect(daysLeft(endOfDay('2026-06-09'), now)).toBe(-1)
  expect(daysLeft(new Date(2026, 5, 10, 12).toISOString(), now)).toBe(-1)
})
