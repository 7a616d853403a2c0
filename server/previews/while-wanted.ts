/** Nobody wants any more what was being made. */
export class Abandoned extends Error {}

const everyMs = 1000

/** For what takes minutes: a signal that is aborted as soon as nobody wants it any more. */
export function whileWanted(isWanted: () => Promise<boolean>): Disposable & { signal: AbortSignal } {
  const stop = new AbortController()
  const look = async () => {
    if (!(await isWanted())) stop.abort(new Abandoned('Nobody wants it any more.'))
  }
  const timer = setInterval(() => look().catch(() => {}), everyMs)
  return { signal: stop.signal, [Symbol.dispose]: () => clearInterval(timer) }
}
