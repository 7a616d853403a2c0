import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** Once it is closed, or gone, the focus is where it was before, unless something else has taken it. */
export function useFocusGoesBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      focusIfLost(() => (before instanceof HTMLElement && before.isConnected ? before : content()))
    }
  }, [opened])
}

let hadFocus = false

/** What has the focus and goes gives it to the one that comes in its place. */
export function useFocusGoesOn(one: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = one.current!
    if (hadFocus) focusIfLost(() => element)
    hadFocus = false
    return () => {
      hadFocus = element.contains(document.activeElement)
    }
  }, [one])
}

/** For what may go while it has the focus: then the content of the page has it. */
export function givesFocusUp(one: HTMLElement | null) {
  if (!one) return
  return () => {
    if (one.contains(document.activeElement)) focusIfLost(content)
  }
}

/**
 * What has the focus in an area may be held back for a while, or go.
 * Then the focus comes back, or goes on from the nearest around it that stays.
 */
export function useFocusKept(
  area: RefObject<HTMLElement | null>,
  goesOn: (from: Element) => HTMLElement | null | undefined,
) {
  useEffect(() => {
    const element = area.current!
    let had: HTMLElement[] = []
    const came = ({ target }: FocusEvent) => {
      had = []
      for (let one = target as HTMLElement; element.contains(one); one = one.parentElement!) had.push(one)
    }
    const left = () => {
      const before = had
      // What goes is left while it is still there.
      requestAnimationFrame(() => {
        if (had === before && before[0]?.isConnected && !before[0].matches(':disabled')) had = []
      })
    }
    const changed = new MutationObserver(() => {
      const [first] = had
      const stays = had.find(({ isConnected }) => isConnected)
      if (stays) focusIfLost(() => (stays === first ? stays : goesOn(stays)))
    })
    element.addEventListener('focusin', came)
    element.addEventListener('focusout', left)
    changed.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      element.removeEventListener('focusin', came)
      element.removeEventListener('focusout', left)
      changed.disconnect()
    }
  }, [area, goesOn])
}

/** What had the focus may be gone, or may not be pressed any more, and the content stand in for it: then this has it. */
export function focusIfLost(other: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (!now || now.matches('body, main, :disabled')) other()?.focus({ preventScroll: true })
  })
}

/** What a page is opened for, ready to take the focus. */
export function content(): HTMLElement | null {
  const content = document.querySelector<HTMLElement>('main [role=grid]') ?? document.querySelector('main')
  if (content && !content.hasAttribute('tabindex')) content.tabIndex = -1
  return content
}
