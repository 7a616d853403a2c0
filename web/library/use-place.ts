import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { isOnLayer } from '../ui/use-back-closes.ts'
import { type Place, placeAfter, readPlace } from './place.ts'

/** Where the person is, and how to go elsewhere. `replace` leaves no step in the browser's history. */
export function usePlace() {
  const address = useSearch({ strict: false })
  // The router leaves in it what its reader has left out.
  const place = useMemo(() => readPlace(address), [address])
  const navigate = useNavigate()
  const go = useCallback(
    (change: Partial<Place>, options: { replace?: boolean } = {}) =>
      navigate({
        to: '.',
        search: (now: Place) => placeAfter(now, change),
        replace: options.replace || isOnLayer(),
        // What only completes the address leaves the step what it is.
        state: options.replace,
      } as never),
    [navigate],
  )
  return { place, go }
}
