import { useSyncExternalStore } from 'react'

/**
 * A request that meets an ended session waits here until the person has signed in again, then repeats itself.
 * Whatever was typed stays where it is.
 */
let wait: { signedIn: Promise<void>; go: () => void } | null = null
const listeners = new Set<() => void>()

function set(next: typeof wait) {
  wait = next
  for (const listener of listeners) listener()
}

export const sessionExpiry = {
  untilSignedIn(): Promise<void> {
    if (!wait) {
      const { promise, resolve } = Promise.withResolvers<void>()
      set({ signedIn: promise, go: resolve })
    }
    return wait!.signedIn
  },
  signedIn() {
    wait?.go()
    set(null)
  },
}

export const useSessionExpired = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => wait !== null,
  )
