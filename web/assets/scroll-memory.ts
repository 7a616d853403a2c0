import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useSelection } from '../library/selection.ts'
import { useReturnsTo, useStep } from '../library/visits.ts'
import type { Rows } from '../ui/use-rows.ts'

interface Stand {
  top: number
  focus: string | null
}

/** Where somebody stood, by the step of the browser's history and the place. */
const stands = new Map<string, Stand>()

/** Back and the tabs return to the scroll position; a place that is opened again starts at its top. */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  { offset, scrollTo }: Rows,
  placeKey: string,
  isLaidOut: boolean,
) {
  const router = useRouter()
  const selection = useSelection()
  const name = `${useStep()} ${placeKey}`
  const left = `${useReturnsTo()} ${placeKey}`
  const current = useRef(name)
  current.current = name
  const returned = useRef(false)

  useLayoutEffect(() => {
    if (!isLaidOut || returned.current) return
    returned.current = true
    const stand = stands.get(current.current) ?? stands.get(left)
    if (!stand) return
    scrollTo(stand.top)
    // Once the page has left the place before behind it.
    requestAnimationFrame(() => {
      if (stand.focus) selection.focusOn(stand.focus)
      if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true })
    })
  }, [isLaidOut, left, scroller, scrollTo, selection])

  useEffect(() => {
    const element = scroller.current!
    const keep = () => {
      if (returned.current) stands.set(current.current, { top: offset(), focus: selection.focus })
    }
    element.addEventListener('scroll', keep, { passive: true })
    const unsubscribe = selection.store.subscribe(() => {
      if (selection.focus) keep()
    })
    return () => {
      element.removeEventListener('scroll', keep)
      unsubscribe()
    }
  }, [scroller, offset, selection])

  useEffect(
    () =>
      router.history.subscribe(({ location, action }) => {
        if (action.type !== 'PUSH') return
        const step = (location.state as { __TSR_index?: number }).__TSR_index ?? 0
        for (const each of stands.keys()) if (Number.parseInt(each, 10) >= step) stands.delete(each)
      }),
    [router],
  )
}
