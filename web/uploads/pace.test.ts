import { expect, test } from 'vitest'
import { paceOfBytes } from './pace.ts'

test('the pace is that of the last seconds, not of the whole upload', () => {
  let now = 0
  const pace = paceOfBytes(() => now)
  expect(pace.perSecond()).toBe(0)
  for (let second = 1; second <= 10; second++) {
    now = second * 1000
    pace.moved(1000)
    pace.perSecond()
  }
  expect(pace.perSecond()).toBeCloseTo(1000)
  for (let second = 11; second <= 20; second++) {
    now = second * 1000
    pace.moved(4000)
    pace.perSecond()
  }
  expect(pace.perSecond()).toBeCloseTo(4000)
})

test('starting over does not count as bytes moved back', () => {
  let now = 0
  const pace = paceOfBytes(() => now)
  pace.perSecond()
  pace.moved(500)
  pace.moved(-500)
  now = 1000
  expect(pace.perSecond()).toBe(500)
})
