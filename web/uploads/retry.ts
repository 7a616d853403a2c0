import { Problem } from '../api.ts'
import { isOffline } from '../connection.ts'

/** Nothing comes through: not a failure of this upload, it goes on when the connection is back. */
export class ConnectionLost extends Error {}

const transient: Problem['code'][] = [
  'finalize-in-progress',
  'media-busy',
  'scanner-unavailable',
  'rate-limited',
  'storage-unavailable',
  'database-unavailable',
]
const attempts = 5

/** Tries again with a growing pause while the failure looks like one that passes. */
export async function withRetries<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Problem)) throw error
      const unreachable = error.code === 'unreachable'
      if (unreachable && (isOffline() || attempt >= attempts)) throw new ConnectionLost()
      if (!unreachable && (!transient.includes(error.code) || attempt >= attempts)) throw error
      await pause(Math.max(backOff(attempt), retryAfter(error)), signal)
    }
  }
}

const longestRetryAfter = 60

/** The pause the server asked for; a minute at most, because somebody is watching. */
const retryAfter = ({ retryAfterSeconds }: Problem) =>
  1000 * Math.min(retryAfterSeconds ?? 0, longestRetryAfter)

/** Half a second, then twice as long each time, spread so that many do not come back at once. */
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
