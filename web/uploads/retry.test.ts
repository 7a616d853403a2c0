import { expect, test } from 'vitest'
import { Problem, secondsOf } from '../api.ts'
import { reportReached } from '../connection.ts'
import { backOff, ConnectionLost, pause, withRetries } from './retry.ts'

const never = new AbortController().signal

test('what passes is asked again until it works', async () => {
  let asked = 0
  const answer = await withRetries(never, async () => {
    if (++asked < 3) throw new Problem({ code: 'media-busy', status: 503 })
    return 'there'
  })
  expect([answer, asked]).toEqual(['there', 3])
})

test('a server that says when to come back is not asked before', async () => {
  const times: number[] = []
  await withRetries(never, async () => {
    times.push(Date.now())
    if (times.length < 2) throw new Problem({ code: 'rate-limited', status: 429, retryAfterSeconds: 2 })
  })
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1990)
})

test('a time to come back is read as seconds or as a date', () => {
  expect(secondsOf('120')).toBe(120)
  expect(secondsOf(new Date(Date.now() + 30_000).toUTCString())).toBeGreaterThan(27)
  expect(secondsOf('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0)
  for (const nothing of [null, '', 'soon', '-5x']) expect(secondsOf(nothing)).toBeNull()
})

test('a refusal is not asked again', async () => {
  let asked = 0
  const refused = withRetries(never, async () => {
    asked++
    throw new Problem({ code: 'quota-exceeded', status: 409 })
  })
  await expect(refused).rejects.toMatchObject({ code: 'quota-exceeded' })
  expect(asked).toBe(1)
})

test('silence while offline is a lost connection at once, not a failure', async () => {
  reportReached(false)
  let asked = 0
  const silence = () => {
    asked++
    return Promise.reject(new Problem({}))
  }
  await expect(withRetries(never, silence)).rejects.toBeInstanceOf(ConnectionLost)
  expect(asked).toBe(1)
})

test('each wait is longer than the one before', () => {
  for (let attempt = 1; attempt < 6; attempt++) expect(backOff(attempt + 2)).toBeGreaterThan(backOff(attempt))
})

test('stopping ends a wait at once', async () => {
  const stop = new AbortController()
  const waiting = pause(60_000, stop.signal)
  stop.abort()
  await expect(waiting).rejects.toThrow()
})
