import { useSyncExternalStore } from 'react'

// The browser only guesses: a machine with nothing but itself counts as offline, though everything answers. What is
// asked of the server tells; the guess is the reason to ask.
let isReached = true
const listeners = new Set<() => void>()

/** Whether a request came through. */
export function heard(reached: boolean) {
  const now = reached || navigator.onLine
  if (now === isReached) return
  isReached = now
  for (const listener of listeners) listener()
}

const again = 5000

async function ask() {
  heard(
    await fetch('/livez', { cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  )
  if (!isReached) setTimeout(ask, again)
}

globalThis.addEventListener?.('online', () => heard(true))
globalThis.addEventListener?.('offline', ask)

export const isOffline = () => !isReached

export const useOnline = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isReached,
  )
