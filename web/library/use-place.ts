import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { isOnLayer } from '../ui/use-back-closes.ts'
import type { Place } from './place.ts'

/** Where the person is, and how to go elsewhere. `replace` leaves no step in the browser's history. */
export function usePlace() {
  const place = useSearch({ strict: false }) as Place
  const navigate = useNavigate()
  const go = useCallback(
    (change: Partial<Place>, options: { replace?: boolean } = {}) =>
      navigate({
        to: '.',
        search: (now: Place) => ({ ...now, ...change }),
        replace: options.replace || isOnLayer(),
        // What only completes the address leaves the step what it is.
        state: options.replace,
      } as never),
    [navigate],
  )
  return { place, go }
}
