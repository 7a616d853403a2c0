import type { Use } from '../../contract/references.ts'
import { createStore, useStore } from '../store.ts'

/** Uses that stand in the way of a delete, until the person has read them. */
export interface Holders {
  uses: Use[]
  /** Deletes all the same, where that can be done. */
  anyway?(): void
}

const shown = createStore<Holders | null>(null)

export const showHolders = shown.set
export const useHolders = () => useStore(shown)
