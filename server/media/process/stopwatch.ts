/** Runs out after `ms` of running; neither the time while it is held counts, nor what `lostMs` says was lost meanwhile. */
export interface Stopwatch {
  hold(): void
  goOn(): void
  stop(): void
}

/** Most are stopped before: to look up what was lost takes long, so this much may be lost unseen. */
const unseenMs = 250

export function startStopwatch(ms: number, onEnd: () => void, lostMs = () => 0): Stopwatch {
  let left = ms + unseenMs
  let holders = 0
  let since = performance.now()
  let lost = 0
  const looking = setTimeout(() => {
    lost = lostMs()
  }, unseenMs)
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
      clearTimeout(looking)
      clearTimeout(timer)
    },
  }
}
