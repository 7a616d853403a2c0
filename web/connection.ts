import { createStore, useStore } from './store.ts'

// `navigator.onLine` is a guess: a machine without a network counts as offline, though its own server answers. What is
// asked of the server tells; the guess is the reason to ask.
const isReached = createStore(true)

// A server that does not answer is missed with a network, too.
let isMissed = false
const toldWhenBack = new Set<() => void>()

/** Whether a request came through. */
export function reportReached(reached: boolean) {
  isReached.set(reached || navigator.onLine)
  const isBack = isMissed && reached
  isMissed = !reached
  clearTimeout(asking)
  if (!isReached.get()) asking = setTimeout(ask, askAgainAfter)
  if (isBack) for (const tell of toldWhenBack) tell()
}

/** Whenever the server is reached again. */
export const whenBack = (tell: () => void) => toldWhenBack.add(tell)

// Nobody may ask for anything else until then.
const askAgainAfter = 5000
let asking: ReturnType<typeof setTimeout> | undefined

async function ask() {
  reportReached(
    await fetch('/livez', { cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  )
}

globalThis.addEventListener?.('online', () => reportReached(true))
globalThis.addEventListener?.('offline', ask)

export const isOffline = () => !isReached.get()

export const useOnline = () => useStore(isReached)
