import { useSyncExternalStore } from 'react'

/** Something long under way: said with its progress, and stopped when the person says so. */
export interface Progress {
  text: string
  done: number
  /** Null while nobody knows. */
  total: number | null
  stop(): void
}

let current: Progress | null = null
const listeners = new Set<() => void>()

function tell(progress: Progress | null) {
  current = progress
  for (const listener of listeners) listener()
}

export const useProgress = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

/** Runs work that may take long. `step` says how far it has come; the signal says when to stop. */
export async function withProgress<Result>(
  text: string,
  total: number | null,
  work: (step: (done: number) => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const step = (done: number) => tell({ text, done, total, stop })
  step(0)
  try {
    return await work(step, stopping.signal)
  } finally {
    tell(null)
  }
}
