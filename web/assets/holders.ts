import { useSyncExternalStore } from 'react'
import type { Use } from '../../contract/references.ts'

/** Uses that stand in the way of a delete, until the person has read them. */
export interface Holders {
  uses: Use[]
  /** Deletes all the same, where that can be done. */
  anyway?(): void
}

let told: Holders | null = null
const listeners = new Set<() => void>()

export function tellHolders(holders: Holders | null) {
  told = holders
  for (const listener of listeners) listener()
}

export const useHolders = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => told,
  )
