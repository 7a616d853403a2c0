/** What did not come is tried again after each of these, and when the server is reached again. */
const pauses = [4_000, 15_000, 60_000]
const missed = new Set<() => void>()

/** For when the server is reached again. */
export function loadMissed() {
  for (const again of missed) again()
}

/** Loads again what is said to have failed, until it is stopped. */
export function tryingAgain(load: () => void) {
  let tried = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    missed.delete(again)
  }
  const next = () => {
    stop()
    load()
  }
  const again = () => {
    tried = 0
    next()
  }
  return {
    failed() {
      missed.add(again)
      if (tried < pauses.length) timer = setTimeout(next, pauses[tried++])
    },
    stop,
  }
}
