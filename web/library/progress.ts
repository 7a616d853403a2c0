import { createStore, useStore } from '../store.ts'

/** Something long under way: said with its progress, and stopped when the person says so. */
export interface Progress {
  text: string
  done: number
  /** Null while nobody knows. */
  total: number | null
  stop(): void
}

const underWay = createStore<Progress | null>(null)

export const useProgress = () => useStore(underWay)

/** Runs work that may take long. `step` says how far it has come; the signal says when to stop. */
export async function withProgress<Result>(
  text: string,
  total: number | null,
  work: (step: (done: number) => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const step = (done: number) => underWay.set({ text, done, total, stop })
  step(0)
  try {
    return await work(step, stopping.signal)
  } finally {
    underWay.set(null)
  }
}
