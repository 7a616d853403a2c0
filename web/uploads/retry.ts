import { Problem } from '../api.ts'
import { isOffline } from '../connection.ts'

/** Nothing comes through: not a failure of this upload, it goes on when the connection is back. */
export class ConnectionLost extends Error {}

const passing: Problem['code'][] = [
  'finalize-in-progress',
  'media-busy',
  'rate-limited',
  'storage-unavailable',
  'database-unavailable',
]
const attempts = 5

/** Asks again, more and more slowly, while the trouble looks like one that passes. */
export async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Problem)) throw error
      const unreachable = error.code === 'unreachable'
      if (unreachable && (isOffline() || attempt >= attempts)) throw new ConnectionLost()
      if (!unreachable && (!passing.includes(error.code) || attempt >= attempts)) throw error
      await pause(Math.max(backOff(attempt), wished(error)), signal)
    }
  }
}

const longestWish = 60

/** What the server asked for is waited for; a minute at most, for somebody is watching. */
const wished = ({ retryAfterSeconds }: Problem) => 1000 * Math.min(retryAfterSeconds ?? 0, longestWish)

/** Half a second, then twice as long each time, spread so that many do not knock at once. */
export const backOff = (attempt: number) => 500 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)

export const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
