import { useSyncExternalStore } from 'react'

/** A value that lives outside React and that components follow. */
export interface Store<Value> {
  get(): Value
  set(next: Value): void
  subscribe(listener: () => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What `read` makes of the value. It is compared by identity, so `read` must not make a new object each time. */
export function useStore<Value, Part>(store: Store<Value>, read: (value: Value) => Part): Part
export function useStore<Value>(store: Store<Value>): Value
export function useStore<Value>(store: Store<Value>, read: (value: Value) => unknown = (value) => value) {
  return useSyncExternalStore(store.subscribe, () => read(store.get()))
}
