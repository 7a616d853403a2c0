import { useEffect, useRef } from 'react'
import { chosenCount, isFolderId, type Selection } from './selection.ts'

/** What drags inside the page carry; drags of files from outside carry `Files`. */
export const draggedItems = 'application/x-library-items'

interface Moves {
  move(ids: Iterable<string>, folderId: string | null): void
  trash(ids: Iterable<string>): void
  collect(ids: Iterable<string>, collectionId: string): void
  /** Beside another one, in a list that is put in order by hand. */
  place(ids: string[], id: string, side: Side): void
  label(count: number): string
}

type Side = 'before' | 'after'

/**
 * Anything with `data-id` can be dragged onto anything with `data-drop-folder` (a folder id, `top` or `trash`) or
 * `data-drop-collection`, and beside the others of a list with `data-by-hand`.
 * One set of listeners serves the whole page.
 */
export function useDragToMove(selection: Selection, moves: Moves) {
  const latest = useRef(moves)
  latest.current = moves

  useEffect(() => {
    let target: HTMLElement | null = null
    let dragged: string[] = []
    let side: Side = 'before'

    function aim(next: HTMLElement | null, at: Side = 'before') {
      if (next === target && at === side) return
      target?.classList.remove('is-drop-target', 'is-drop-before', 'is-drop-after')
      next?.classList.add(isPlaced(next) ? `is-drop-${at}` : 'is-drop-target')
      target = next
      side = at
    }
    function targetOf(event: DragEvent): HTMLElement | null {
      const found = (event.target as Element).closest?.<HTMLElement>(targets)
      const id = found?.dataset.dropFolder ?? found?.dataset.dropCollection ?? found?.dataset.id
      return found && !dragged.includes(id!) ? found : null
    }

    function onStart(event: DragEvent) {
      const id = (event.target as Element).closest?.<HTMLElement>('[data-id]')?.dataset.id
      if (!id || !event.dataTransfer) return
      if (!isTreeItem(event.target) && !selection.has(id)) selection.only(id)
      dragged = isTreeItem(event.target) ? [id] : [...selection.ids]
      event.dataTransfer.setData(draggedItems, JSON.stringify(dragged))
      event.dataTransfer.effectAllowed = 'copyMove'
      const ghost = ghostOf(latest.current.label(chosenCount(dragged)))
      event.dataTransfer.setDragImage(ghost, -12, -8)
      setTimeout(() => ghost.remove())
    }
    function onOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes(draggedItems)) return
      const next = targetOf(event)
      aim(next, next && isPlaced(next) ? sideOf(next, event) : undefined)
      if (!target) return
      event.preventDefault()
      event.dataTransfer.dropEffect = target.dataset.dropCollection ? 'copy' : 'move'
    }
    function onDrop(event: DragEvent) {
      const { dropFolder: to, dropCollection: collectionId, id } = target?.dataset ?? {}
      const at = side
      aim(null)
      const carried = event.dataTransfer?.getData(draggedItems)
      if (!(to || collectionId || id) || !carried) return
      event.preventDefault()
      const ids: string[] = JSON.parse(carried)
      if (collectionId) return latest.current.collect(ids, collectionId)
      if (!to) return latest.current.place(ids, id!, at)
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

const targets = '[data-drop-folder], [data-drop-collection], [data-by-hand] [data-id]'

const isPlaced = ({ dataset }: HTMLElement) => !dataset.dropFolder && !dataset.dropCollection

/** Tiles stand beside each other, rows below each other. */
function sideOf(element: HTMLElement, { clientX, clientY }: DragEvent): Side {
  const { left, top, width, height } = element.getBoundingClientRect()
  const isRow = width > height * 3
  return (isRow ? clientY > top + height / 2 : clientX > left + width / 2) ? 'after' : 'before'
}

const isTreeItem = (target: EventTarget | null) => !!(target as Element).closest('[role=treeitem]')

function ghostOf(text: string): HTMLElement {
  const ghost = document.createElement('div')
  ghost.className = 'drag-ghost'
  ghost.textContent = text
  document.body.append(ghost)
  return ghost
}
