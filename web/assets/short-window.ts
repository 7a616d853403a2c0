import { type RefObject, useEffect } from 'react'

/**
 * Where the window is so low that the frame would leave no room (400 % zoom, a phone on its side), the page scrolls
 * and the grid is as tall as the window: whoever scrolls or focuses the grid has the frame scroll away.
 */
export function useShortWindow(scroller: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const grid = scroller.current!
    const isShort = matchMedia('(height < 480px)')
    const comeForward = () => {
      if (isShort.matches && grid.scrollTop > 0) grid.scrollIntoView({ block: 'start' })
    }
    const onFocus = () => {
      // By a key only: under a pointer the page would go away between press and release.
      if (isShort.matches && grid.matches(':focus-visible')) grid.scrollIntoView({ block: 'start' })
    }
    grid.addEventListener('scroll', comeForward, { passive: true })
    grid.addEventListener('focus', onFocus)
    return () => {
      grid.removeEventListener('scroll', comeForward)
      grid.removeEventListener('focus', onFocus)
    }
  }, [scroller])
}
