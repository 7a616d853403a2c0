import { useEffect } from 'react'

/** Once it is closed, or gone, the focus is where it was before, unless something else has taken it. */
export function useFocusGoesBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      focusIfLost(() => (before instanceof HTMLElement && before.isConnected ? before : null))
    }
  }, [opened])
}

/** What had the focus may be gone, or may not be pressed any more: then this has it. */
export function focusIfLost(other: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const isLost = !document.activeElement || document.activeElement === document.body
    if (isLost) other()?.focus({ preventScroll: true })
  })
}
