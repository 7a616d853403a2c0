import { expect, test } from 'vitest'
import { isTimestamp } from './timestamps.ts'

test.each([
  '2026-06-30T23:59:59Z',
  '2024-02-29T00:00:00.123456789+14:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('%s is a moment', (text) => {
  expect(isTimestamp(text)).toBe(true)
})

test.each([
  '2026-06-30T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-06-30T24:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '2026-06-30T23:59:59.1234567890Z',
  '2026-06-30 23:59:59Z',
  '2026-06-30T23:59:59',
])('%s is none', (text) => {
  expect(isTimestamp(text)).toBe(false)
})
