import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useLibrary } from '../../library/library.tsx'
import type { Place } from '../../library/place.ts'
import type { usePlace } from '../../library/use-place.ts'
import { reviewsOf } from '../../review/way-back.ts'

/** The quick look is a step in the browser's history: Back closes it, and closing it goes back. */
export function useQuickLook(
  place: Place,
  go: ReturnType<typeof usePlace>['go'],
  onClosed: (lookedAt: string) => void,
) {
  // Keys are faster than the address: what they asked for shows at once. Null is closed; undefined leaves it to the address.
  const [asked, setAsked] = useState<string | null>()
  const looking = asked === undefined ? (place.look ?? null) : asked
  const isOwnStep = useRef(false)
  const { history: steps } = useRouter()
  const navigate = useNavigate()
  const library = useLibrary()
  const addressed = useRef(place.look)
  const latest = useRef({ asked, onClosed, leave })
  latest.current = { asked, onClosed, leave }

  useEffect(() => {
    const before = addressed.current
    addressed.current = place.look
    if (place.look && latest.current.asked === null) latest.current.leave()
    if (!before || place.look) return
    isOwnStep.current = false
    setAsked(undefined)
    latest.current.onClosed(before)
  }, [place.look])

  // The address follows a moment later: arrows held down do not flood the history.
  useEffect(() => {
    if (!place.look || !asked || asked === place.look) return
    const timer = setTimeout(() => go({ look: asked }, { replace: true }), 250)
    return () => clearTimeout(timer)
  }, [asked, place.look, go])

  /** An address that was opened with it has nothing to go back to; whoever came for a review has. */
  function leave() {
    const isReview = place.panel === 'review'
    if (isOwnStep.current || (isReview && steps.canGoBack())) history.back()
    else if (isReview) void navigate({ ...reviewsOf(library), replace: true })
    else void go({ look: undefined }, { replace: true })
  }

  return {
    looking,
    look(assetId: string) {
      setAsked(assetId)
      if (looking) return
      isOwnStep.current = true
      void go({ look: assetId })
    },
    closeLook() {
      if (!looking) return
      setAsked(null)
      if (place.look) leave()
    },
  }
}
