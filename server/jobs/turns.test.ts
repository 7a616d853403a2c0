import { expect, test } from 'vitest'
import { openTurns, turnOfRetry } from './turns.ts'

const today = Date.UTC(2026, 5, 1)

test('the first job of a client goes before all but a few of what another queued in the same second', () => {
  let now = today
  const turnOf = openTurns(() => now)
  const noisy = Array.from({ length: 500 }, () => turnOf('noisy'))
  expect(noisy.toSorted((a, b) => b - a)).toEqual(noisy)
  now += 1000
  const quiet = turnOf('quiet')
  expect(noisy.filter((turn) => turn >= quiet).length).toBeLessThanOrEqual(3)
})

test('a client that waits between jobs is never behind', () => {
  let now = today
  const turnOf = openTurns(() => now)
  for (let i = 0; i < 100; i++) {
    now += 1000
    expect(turnOf('steady')).toBe(openTurns(() => now)('new'))
  }
})

test('nobody falls further behind than ten minutes', () => {
  let now = today
  const turnOf = openTurns(() => now)
  for (let i = 0; i < 50_000; i++) turnOf('noisy')
  const last = turnOf('noisy')
  const retry = turnOfRetry(now)
  now += 9 * 60_000
  expect(turnOf('quiet')).toBeGreaterThan(retry)
  now += 2 * 60_000
  for (const earlier of [last, retry]) expect(turnOf('quiet')).toBeLessThan(earlier)
})

test('a turn fits the queue’s 32 bits for decades', () => {
  const turn = openTurns(() => Date.UTC(2059, 0, 1))('client')
  expect(turn).toBeGreaterThan(-(2 ** 31))
  expect(turn).toBeLessThan(0)
})
