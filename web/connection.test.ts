import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isOffline, reachNow, reportReached, whenBack } from './connection.ts'

// Whoever had no answer before is another file's affair.
beforeEach(() => reportReached(true))
afterEach(() => {
  vi.unstubAllGlobals()
  reportReached(true)
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

test('one request that is lost is no reason to say that the server is away; it and what follows are', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  let isThere = true
  const asked = vi.fn(() =>
    isThere ? Promise.resolve(new Response()) : Promise.reject(new Error('No answer')),
  )
  vi.stubGlobal('fetch', asked)
  const told = vi.fn()
  const unfollow = whenBack(told)
  reportReached(false)
  await vi.advanceTimersByTimeAsync(0)
  expect([asked.mock.calls.length, isOffline(), told.mock.calls.length]).toEqual([1, false, 0])

  isThere = false
  reportReached(false)
  await vi.advanceTimersByTimeAsync(0)
  expect([asked.mock.calls.length, isOffline()]).toEqual([2, true])
  // Whoever goes on to ask in vain does not keep it from being asked for.
  for (let second = 0; second < 5; second++) {
    reportReached(false)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect([asked.mock.calls.length, told.mock.calls.length]).toEqual([3, 0])
  isThere = true
  await vi.advanceTimersByTimeAsync(5000)
  expect([isOffline(), told.mock.calls.length]).toEqual([false, 1])
  unfollow()
})

test('that the network went, too, is noticed while the server is asked for, and that it came back', async () => {
  vi.useFakeTimers()
  const network = { onLine: true }
  vi.stubGlobal('navigator', network)
  vi.stubGlobal('fetch', () => Promise.reject(new Error('No answer')))
  reportReached(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(reachNow()).toBe('away')
  network.onLine = false
  await vi.advanceTimersByTimeAsync(5000)
  expect(reachNow()).toBe('offline')
  network.onLine = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(reachNow()).toBe('away')
})

test('an answer from before the network went does not say that it is back', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('fetch', () => Promise.reject(new Error('No line')))
  reportReached(false)
  reportReached(true)
  expect(isOffline()).toBe(true)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()))
  reportReached(true)
  await vi.waitFor(() => expect(isOffline()).toBe(false))
})

test('a network that is told to go while an answer still comes through it is asked about again', async () => {
  const heard: Record<string, () => void> = {}
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('addEventListener', (name: string, hear: () => void) =>
    Object.assign(heard, { [name]: hear }),
  )
  const answers = [() => Promise.resolve(new Response()), () => Promise.reject(new Error('No line'))]
  vi.stubGlobal('fetch', () => answers.shift()!())
  vi.resetModules()
  const { reachNow } = await import('./connection.ts')
  heard.offline!()
  await vi.advanceTimersByTimeAsync(0)
  expect(reachNow()).toBe('there')
  await vi.advanceTimersByTimeAsync(5000)
  expect(reachNow()).toBe('offline')
})

test('of what is asked twice only the last answer counts, in whatever order they come', async () => {
  const answers: ((reached: boolean) => void)[] = []
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise((resolve, reject) =>
        answers.push((reached) => (reached ? resolve(new Response()) : reject(new Error('No line')))),
      ),
  )
  reportReached(false)
  reportReached(true)
  reportReached(true)
  answers[1]!(false)
  await settled()
  answers[0]!(true)
  await settled()
  expect(isOffline()).toBe(true)
})

test('while the server is asked for, nobody else asks', async () => {
  const asked = vi.fn(() => Promise.resolve(new Response()))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', asked)
  reportReached(false)
  reportReached(false)
  await settled()
  expect([asked.mock.calls.length, isOffline()]).toEqual([1, false])
  reportReached(false)
  await settled()
  expect(asked).toHaveBeenCalledTimes(2)
})

test('a line that is cut without a word is given up on', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const given: AbortSignal[] = []
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    given.push(signal)
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((after) => {
    const cut = new AbortController()
    setTimeout(() => cut.abort(), after / 1000)
    return cut.signal
  })
  reportReached(false)
  await vi.waitFor(() => expect(reachNow()).toBe('away'))
  expect(given[0]!.aborted).toBe(true)
  vi.restoreAllMocks()
})

const settled = () => new Promise((resolve) => setImmediate(resolve))
