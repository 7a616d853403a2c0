import { createStore, useStore } from './store.ts'

/**
 * A request that meets an ended session waits here until the person has signed in again, then repeats itself.
 * What was typed stays.
 */
const waiting = createStore<PromiseWithResolvers<void> | null>(null)

export const sessionExpiry = {
  untilSignedIn(): Promise<void> {
    if (!waiting.get()) waiting.set(Promise.withResolvers<void>())
    return waiting.get()!.promise
  },
  signedIn() {
    waiting.get()?.resolve()
    waiting.set(null)
  },
}

export const useSessionExpired = () => useStore(waiting, (wait) => wait !== null)
