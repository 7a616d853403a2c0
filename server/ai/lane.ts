/** So many at once; the others wait for their turn, or until their time is over. */
export function openLane(atOnce: number) {
  let running = 0
  const waiting: (() => void)[] = []

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (running < atOnce) {
      running++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const give = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(give), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(give)
    })
  }

  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    await turn(signal)
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
