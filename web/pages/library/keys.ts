import { useEffect, useRef } from 'react'

/** What the keys do; the name is `Ctrl+`, `Alt+` or `Shift+` and the key. True from the handler means taken. */
export type KeyMap = Record<string, (event: KeyboardEvent) => boolean | undefined>

const typing = 'input, textarea, select, [contenteditable]'
const elsewhere = '[role=dialog], [role=menu], dialog, [role=tree]'

/** The keys of the page. Off while typing, and while a dialog or a menu has the keyboard. */
export function useKeys(map: KeyMap) {
  const latest = useRef(map)
  latest.current = map
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const target = event.target as Element
      if (event.defaultPrevented || event.isComposing) return
      if (target.matches(typing) || target.closest(elsewhere)) return
      // A button or link keeps the keys that press it.
      if ((event.key === ' ' || event.key === 'Enter') && target.matches('button, a, video')) return
      const act = latest.current[nameOf(event)] ?? latest.current[anyMove(event) ?? '']
      if (act?.(event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key
  if (ctrlKey || metaKey) return `Ctrl+${name}`
  if (altKey) return `Alt+${name}`
  return shiftKey && key.length > 1 ? `Shift+${name}` : name
}

const moves = /^(Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down))$/
const anyMove = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  moves.test(key) && !ctrlKey && !metaKey && !altKey ? 'move' : undefined
