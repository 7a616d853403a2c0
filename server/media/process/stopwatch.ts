/** Runs out after `ms` of running; neither the time while it is held counts, nor what `lostMs` says was lost meanwhile. */
export interface Stopwatch {
  hold(): void
  goOn(): void
  stop(): void
}

export function startStopwatch(ms: number, onEnd: () => void, lostMs = () => 0): Stopwatch {
  let left = ms
  let holders = 0
  let since = performance.now()
  let lost = lostMs()
  let timer = setTimeout(end, left)

  function end() {
    const owed = lostMs() - lost
    if (owed < 1) return onEnd()
    lost += owed
    left = owed
    since = performance.now()
    timer = setTimeout(end, left)
  }

  return {
    hold() {
      if (holders++ > 0) return
      clearTimeout(timer)
      left -= performance.now() - since
    },
    goOn() {
      if (--holders > 0) return
      since = performance.now()
      timer = setTimeout(end, Math.max(0, left))
    },
    stop() {
      holders = Number.POSITIVE_INFINITY // what comes late starts nothing
      clearTimeout(timer)
    },
  }
}
