import { useEffect, useRef, useState } from 'react'
import { isFolderId } from '../library/selection.ts'
import { carriesFiles, type Dropped, dropped } from './dropped.ts'

/** Files from outside let go over a folder, on its tile, in the tree or in the path, go there. True while they hover. */
export function useDropOnFolder(
  open: boolean,
  take: (found: Dropped | null, folderId: string | null) => void,
) {
  const [aimed, setAimed] = useState(false)
  const latest = useRef(take)
  latest.current = take

  useEffect(() => {
    if (!open) return
    let target: HTMLElement | null = null
    function aim(next: HTMLElement | null) {
      if (next === target) return
      target?.classList.remove('is-drop-target')
      next?.classList.add('is-drop-target')
      target = next
      setAimed(next !== null)
    }
    function onOver(event: DragEvent) {
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return
      const found = (event.target as Element).closest?.<HTMLElement>('[data-drop-folder]') ?? null
      aim(found?.dataset.dropFolder === 'trash' ? null : found)
      if (!target) return
      event.preventDefault()
      event.stopPropagation()
      event.dataTransfer.dropEffect = 'copy'
    }
    async function onDrop(event: DragEvent) {
      const to = target?.dataset.dropFolder
      aim(null)
      if (!to || !event.dataTransfer || !carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      const found = await dropped(event.dataTransfer).catch(() => null)
      latest.current(found, isFolderId(to) ? to : null)
    }
    const onLeave = (event: DragEvent) => {
      if (!event.relatedTarget) aim(null) // out of the window
    }

    // Before the page's own zone hears of it.
    document.addEventListener('dragenter', onOver, true)
    document.addEventListener('dragover', onOver, true)
    document.addEventListener('dragleave', onLeave, true)
    document.addEventListener('drop', onDrop, true)
    return () => {
      aim(null)
      document.removeEventListener('dragenter', onOver, true)
      document.removeEventListener('dragover', onOver, true)
      document.removeEventListener('dragleave', onLeave, true)
      document.removeEventListener('drop', onDrop, true)
    }
  }, [open])
  return aimed
}
