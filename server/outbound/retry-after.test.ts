import { expect, test } from 'vitest'
import { retryAfter } from './retry-after.ts'

test('a header asks for seconds or a date, a day at most; anything else asks for nothing', () => {
  const now = Date.parse('2026-11-15T08:00:00Z')
  const asked = (header?: string) => retryAfter(header, now)
  expect(['0', ' 120 ', '9'.repeat(400)].map(asked)).toEqual([0, 120, 86_400])
  expect(asked('Sun, 15 Nov 2026 08:00:30 GMT')).toBe(30)
  expect(asked('Sunday, 15-Nov-26 08:00:30 GMT')).toBe(30)
  expect(asked('Sat, 14 Nov 2026 08:00:00 GMT')).toBe(0)
  expect(asked('Sat, 14 Nov 2126 08:00:00 GMT')).toBe(86_400)
  for (const none of [undefined, '', 'soon', '-5', '1.5', '2026-11-15', 'Sun, never'])
    expect(asked(none)).toBeUndefined()
})
