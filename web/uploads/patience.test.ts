import { expect, test } from 'vitest'
import { Problem } from '../api.ts'
import { backOff, ConnectionLost, patiently, pause } from './patience.ts'

const never = new AbortController().signal

test('what passes is asked again until it works', async () => {
  let asked = 0
  const answer = await patiently(never, async () => {
    if (++asked < 3) throw new Problem({ code: 'media-busy', status: 503 })
    return 'there'
  })
  expect([answer, asked]).toEqual(['there', 3])
})

test('a refusal is not asked again', async () => {
  let asked = 0
  const refused = patiently(never, async () => {
    asked++
    throw new Problem({ code: 'quota-exceeded', status: 409 })
  })
  await expect(refused).rejects.toMatchObject({ code: 'quota-exceeded' })
  expect(asked).toBe(1)
})

test('silence while offline is a lost connection, not a failure', async () => {
  await expect(patiently(never, () => Promise.reject(new Problem({})))).rejects.toBeInstanceOf(ConnectionLost)
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
