import { useEffect, useRef } from 'react'
import { isFolderId, type Selection } from './selection.ts'

/** What drags inside the page carry; drags of files from outside carry `Files`. */
export const draggedItems = 'application/x-library-items'

interface Moves {
  move(ids: Iterable<string>, folderId: string | null): void
  trash(ids: Iterable<string>): void
  label(count: number): string
}

/**
 * Anything with `data-id` can be dragged onto anything with `data-drop-folder` (a folder id, `top` or `trash`).
 * One set of listeners serves the whole page.
 */
export function useDragToMove(selection: Selection, moves: Moves) {
  const latest = useRef(moves)
  latest.current = moves

  useEffect(() => {
    let target: HTMLElement | null = null
    let dragged: string[] = []

    function aim(next: HTMLElement | null) {
      if (next === target) return
      target?.classList.remove('is-drop-target')
      next?.classList.add('is-drop-target')
      target = next
    }
    function targetOf(event: DragEvent): HTMLElement | null {
      const found = (event.target as Element).closest?.<HTMLElement>('[data-drop-folder]')
      return found && !dragged.includes(found.dataset.dropFolder!) ? found : null
    }

    function onStart(event: DragEvent) {
      const id = (event.target as Element).closest?.<HTMLElement>('[data-id]')?.dataset.id
      if (!id || !event.dataTransfer) return
      if (!isTreeItem(event.target) && !selection.ids.has(id)) selection.only(id)
      dragged = isTreeItem(event.target) ? [id] : [...selection.ids]
      event.dataTransfer.setData(draggedItems, JSON.stringify(dragged))
      event.dataTransfer.effectAllowed = 'move'
      const ghost = ghostOf(latest.current.label(dragged.length))
      event.dataTransfer.setDragImage(ghost, -12, -8)
      setTimeout(() => ghost.remove())
    }
    function onOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes(draggedItems)) return
      aim(targetOf(event))
      if (!target) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
    }
    function onDrop(event: DragEvent) {
      const to = target?.dataset.dropFolder
      aim(null)
      const carried = event.dataTransfer?.getData(draggedItems)
      if (!to || !carried) return
      event.preventDefault()
      const ids: string[] = JSON.parse(carried)
      if (to === 'trash') latest.current.trash(ids)
      else latest.current.move(ids, isFolderId(to) ? to : null)
    }
    function onEnd() {
      aim(null)
      dragged = []
    }

    document.addEventListener('dragstart', onStart)
    document.addEventListener('dragover', onOver)
    document.addEventListener('drop', onDrop)
    document.addEventListener('dragend', onEnd)
    return () => {
      document.removeEventListener('dragstart', onStart)
      document.removeEventListener('dragover', onOver)
      document.removeEventListener('drop', onDrop)
      document.removeEventListener('dragend', onEnd)
    }
  }, [selection])
}

const isTreeItem = (target: EventTarget | null) => !!(target as Element).closest('[role=treeitem]')

function ghostOf(text: string): HTMLElement {
  const ghost = document.createElement('div')
  ghost.className = 'drag-ghost'
  ghost.textContent = text
  document.body.append(ghost)
  return ghost
}
