/** Runs out after `ms` of running; the time while it is held does not count. */
export interface Stopwatch {
  hold(): void
  goOn(): void
  stop(): void
}

export function startStopwatch(ms: number, onEnd: () => void): Stopwatch {
  let left = ms
  let holders = 0
  let since = performance.now()
  let timer = setTimeout(onEnd, left)
  return {
    hold() {
      if (holders++ > 0) return
      clearTimeout(timer)
      left -= performance.now() - since
    },
    goOn() {
      if (--holders > 0) return
      since = performance.now()
      timer = setTimeout(onEnd, Math.max(0, left))
    },
    stop() {
      holders = Number.POSITIVE_INFINITY // what comes late starts nothing
      clearTimeout(timer)
    },
  }
}
