import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import type { Library } from './library.tsx'
import type { Place } from './place.ts'
import { Selection } from './selection.ts'

interface Visit {
  place: Place
  /** Of the browser's history. */
  step: number
  selection: Selection
}

/** How each library was left, for whoever goes to another page of the client and comes back. */
const visits = new Map<string, Visit>()

interface State {
  __TSR_index?: number
  returnsTo?: number
  chosen?: Chosen
}

/** What of a list somebody has taken along to another page: these, or all but some. */
export interface Chosen {
  ids?: string[]
  except?: string[]
}

const useHistoryState = () => useRouter().state.location.state as State

export const useStep = (): number => useHistoryState().__TSR_index ?? 0

/** It stays with the page over a reload. */
export const useChosen = (): Chosen => useHistoryState().chosen ?? {}

/** The step at which the library was left, where a link of `returnTo` led here. */
export const useReturnsTo = (): number | undefined => useHistoryState().returnsTo

/** What is selected in this library: what was, where somebody comes back to it. */
export function useVisitedSelection(root: string): Selection {
  const isReturn = useReturnsTo() !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another library, another selection
  return useMemo(() => (isReturn && visits.get(root)?.selection) || new Selection(), [root])
}

export function useRememberVisit({ root }: Library, place: Place, selection: Selection) {
  const router = useRouter()
  useEffect(() => {
    const { asset: _, look: __, ...rest } = place
    // Read with the place: on the way to another page the step is that page's already.
    const { __TSR_index: step = 0 } = router.state.location.state as State
    visits.set(root, { place: rest, step, selection })
  }, [root, place, selection, router])
}

/** Leads to the library as it was left. */
export function returnTo(root: string): { search: Place; state: never } {
  const visit = visits.get(root)
  return { search: visit?.place ?? {}, state: (visit ? { returnsTo: visit.step } : {}) as never }
}
