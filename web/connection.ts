import { createStore, useStore } from './store.ts'

// `navigator.onLine` is a guess: a machine without a network counts as offline, though its own server answers. What is
// asked of the server tells; the guess is the reason to ask.
const isReached = createStore(true)

/** Whether a request came through. */
export function reportReached(reached: boolean) {
  isReached.set(reached || navigator.onLine)
}

const askAgainAfter = 5000

async function ask() {
  reportReached(
    await fetch('/livez', { cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  )
  if (!isReached.get()) setTimeout(ask, askAgainAfter)
}

globalThis.addEventListener?.('online', () => reportReached(true))
globalThis.addEventListener?.('offline', ask)

export const isOffline = () => !isReached.get()

export const useOnline = () => useStore(isReached)
