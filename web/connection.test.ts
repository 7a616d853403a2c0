import { afterEach, expect, test, vi } from 'vitest'
import { isOffline, reportReached } from './connection.ts'

afterEach(() => {
  reportReached(true)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a server that was missed where there is no network is asked for until it is there, whatever missed it', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: false })
  const answers = [() => Promise.reject(new Error('No line')), () => Promise.resolve(new Response())]
  const asked = vi.fn(() => answers.shift()!())
  vi.stubGlobal('fetch', asked)
  // A request failed, and no event says that the network went: there was none before.
  reportReached(false)
  reportReached(false)
  expect(isOffline()).toBe(true)
  await vi.advanceTimersByTimeAsync(5000)
  expect([asked.mock.calls.length, isOffline()]).toEqual([1, true])
  await vi.advanceTimersByTimeAsync(5000)
  expect([asked.mock.calls.length, isOffline()]).toEqual([2, false])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveBeenCalledTimes(2)
})
