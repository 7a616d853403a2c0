import { expect, test } from 'vitest'
import { pauseAskedFor } from '../outbound/retry-after.ts'
import { pauseAfter } from './pauses.ts'

test('pauses grow to an hour, and no two who failed together come back together', () => {
  const many = (pause: () => number) => Array.from({ length: 200 }, pause)
  for (const [failures, most] of [
    [0, 2],
    [3, 16],
    [40, 3600],
  ] as const) {
    const pauses = many(() => pauseAfter(failures))
    expect(Math.max(...pauses)).toBeLessThanOrEqual(most)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(most * 0.75)
    expect(new Set(pauses).size).toBeGreaterThan(100)
  }
  expect(Math.min(...many(() => pauseAskedFor(30)))).toBeGreaterThanOrEqual(30)
})
