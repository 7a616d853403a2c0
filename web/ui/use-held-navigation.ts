import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { hold } from './holding.ts'
import { isOnLayer } from './use-back-closes.ts'

/**
 * Whoever goes to another page of the app, by a link or by Back, or leaves it, stays on this one while it holds them: what this
 * answers then takes them there after all, or lets them stay.
 */
export function useHeldNavigation(holds: () => boolean): { go(): void; stay(): void } | null {
  const { history } = useRouter()
  const latest = useRef(holds)
  latest.current = holds
  const [held, setHeld] = useState<(() => void) | null>(null)

  useEffect(
    () =>
      history.block({
        enableBeforeUnload: false,
        blockerFn({ currentLocation: here, nextLocation: there, action }) {
          // A layer over the page is a step in the browser's history, and no other page.
          if (there.pathname === here.pathname && there.search === here.search) return false
          if (!latest.current()) return false
          const isStep = action !== 'PUSH' && action !== 'REPLACE'
          const steps = there.state.__TSR_index - here.state.__TSR_index
          const free = { ignoreBlocker: true }
          const go = () => {
            const onLayer = isOnLayer()
            if (isStep && !(onLayer && steps > 0)) history.go(onLayer ? steps - 1 : steps, free)
            // The layer's step stands where those forward were.
            else if (onLayer || action === 'REPLACE') history.replace(there.href, there.state, free)
            else history.push(there.href, there.state, free)
          }
          const keep = () => setHeld(() => go)
          // The browser is there already, and is led back first.
          if (isStep) addEventListener('popstate', keep, { once: true })
          else keep()
          return true
        },
      }),
    [history],
  )
  useEffect(
    () =>
      hold((go) => {
        const isHeld = latest.current()
        if (isHeld) setHeld(() => go)
        return isHeld
      }),
    [],
  )
  const goBackToField = useLastField()
  return (
    held && {
      go: held,
      stay() {
        setHeld(null)
        goBackToField()
      },
    }
  )
}

/** Where somebody wrote last: whoever stays, by a link or a menu that took the focus from there, writes on. */
function useLastField(): () => void {
  const field = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if ((target as Element).matches('main :is(input, textarea, select)'))
        field.current = target as HTMLElement
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  // Once the question is gone.
  return () =>
    void requestAnimationFrame(() => {
      if (field.current?.isConnected) field.current.focus({ preventScroll: true })
    })
}
