import { useEffect, useRef } from 'react'
import { useUndo } from './undo.ts'

/** Ctrl+Z on a page that has no other keys; in a field it is the browser's own. */
export function useUndoKey() {
  const { undoLatest } = useUndo()
  const latest = useRef(undoLatest)
  latest.current = undoLatest
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const wantsUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z'
      const target = event.target as Element
      if (!wantsUndo || target.closest('input, textarea, [contenteditable], [role=dialog]')) return
      event.preventDefault()
      void latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
