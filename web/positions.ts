import { createStore } from './store.ts'

interface Position {
  eventId: number
  at: number
}

/** Up to which event all that is held of a library is known to be true, by the library's root. */
export const positions = createStore<Record<string, Position>>({})

export const setPosition = (root: string, eventId: number) =>
  positions.set({ ...positions.get(), [root]: { eventId, at: Date.now() } })

export function forgetPosition(root: string) {
  const { [root]: _, ...others } = positions.get()
  positions.set(others)
}

/** What was read first knows of the fewest events. */
export function reportRead(path: string, lastEventId: string | null) {
  const root = /^\/(portal|admin\/clients\/[^/?]+)/.exec(path)?.[0]
  if (!root || lastEventId === null) return
  const known = positions.get()[root]?.eventId ?? Number.POSITIVE_INFINITY
  if (Number(lastEventId) < known) setPosition(root, Number(lastEventId))
}
