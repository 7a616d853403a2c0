import { useEffect } from 'react'

/** Once it is closed, or gone, the focus is where it was before, unless something else has taken it. */
export function useFocusGoesBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      requestAnimationFrame(() => {
        const isLost = !document.activeElement || document.activeElement === document.body
        if (isLost && before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true })
      })
    }
  }, [opened])
}
