import { FairQueue } from './fair-queue.ts'

interface Waiting {
  signal: AbortSignal | undefined
  begin(): void
}

/**
 * So many at once; the others wait until it is their turn, one of each name after another, or until nobody waits for them
 * any more.
 */
export function openLane(atOnce: number) {
  let running = 0
  const waiting = new FairQueue<Waiting>()

  function beginNext(): void {
    while (running < atOnce) {
      const next = waiting.shift()
      if (!next) return
      if (next.signal?.aborted) continue
      running++
      next.begin()
    }
  }

  return async <T>(
    work: () => Promise<T>,
    { name = '', signal }: { name?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<T> => {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => reject(signal?.reason)
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(name, { signal, begin })
      beginNext()
    })
    try {
      return await work()
    } finally {
      running--
      beginNext()
    }
  }
}
