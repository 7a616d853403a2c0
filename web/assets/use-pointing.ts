import { type MouseEvent, type PointerEvent, useRef } from 'react'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { isFolderId, useSelection } from '../library/selection.ts'
import { storyboardUrl } from './assets.ts'
import type { useMarquee } from './marquee.ts'

interface Pointing {
  marquee: ReturnType<typeof useMarquee>
  assetOf(id: string): Asset | null
  onBegin(): void
  /** Chooses from the anchor to this one. */
  onChooseTo(id: string): void
  onOpen(id: string): void
  onQuickLook(id: string): void
  onTag(tag: string): void
  /** Without an id: of the empty ground. */
  onMenu(id: string | null, spot: { x: number; y: number }): void
}

const holdToSelect = 450

/** What mouse and touch do on the grid, by the `data-id` and `data-act` of what they meet. */
export function usePointing({
  marquee,
  assetOf,
  onBegin,
  onChooseTo,
  onOpen,
  onQuickLook,
  onTag,
  onMenu,
}: Pointing) {
  const library = useLibrary()
  const selection = useSelection()
  const held = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  const justHeld = useRef(false)
  const touch = useRef(false)

  function onPointerDown(event: PointerEvent) {
    touch.current = event.pointerType === 'touch'
    justHeld.current = false
    onBegin()
    const { id } = partAt(event)
    if (!id) {
      if (!touch.current) marquee.start(event)
      return
    }
    if (!touch.current) return
    const timer = setTimeout(() => {
      justHeld.current = true
      selection.toggle(id)
      navigator.vibrate?.(10)
    }, holdToSelect)
    held.current = { timer, x: event.clientX, y: event.clientY }
  }
  const letGo = () => clearTimeout(held.current?.timer)

  function onPointerMove(event: PointerEvent) {
    const { current } = held
    if (current && Math.hypot(event.clientX - current.x, event.clientY - current.y) > 8) letGo()
    if (event.pointerType === 'mouse') scrub(event)
  }

  function scrub(event: PointerEvent) {
    const picture = (event.target as Element).closest<HTMLElement>('.tile-picture')
    const strip = picture?.querySelector<HTMLElement>('.scrub')
    const asset = strip && assetOf(partAt(event).id ?? '')
    if (!strip || !asset?.media.storyboard) return
    const { columns, rows, frameCount, frameWidth, frameHeight } = asset.media.storyboard
    const box = picture!.getBoundingClientRect()
    const along = Math.min(0.999, Math.max(0, (event.clientX - box.left) / box.width))
    const frame = Math.floor(along * frameCount)
    const percent = (at: number, of: number) => (of > 1 ? (at / (of - 1)) * 100 : 0)
    Object.assign(strip.style, {
      backgroundImage: `url("${storyboardUrl(library, asset)}")`,
      backgroundSize: `${columns * 100}% ${rows * 100}%`,
      backgroundPosition: `${percent(frame % columns, columns)}% ${percent(Math.floor(frame / columns), rows)}%`,
      aspectRatio: `${frameWidth} / ${frameHeight}`,
    })
    strip.style.setProperty('--along', `${along * 100}%`)
  }

  function onClick(event: MouseEvent) {
    if (marquee.justEnded()) return
    const { id, act, tag } = partAt(event)
    if (!id) {
      if (!event.shiftKey && !event.ctrlKey && !event.metaKey) selection.clear()
      return
    }
    if (justHeld.current) return
    if (act === 'menu') {
      // On a touch screen one selected item is the selection mode, which a dismissed menu must not leave on.
      if (!selection.has(id) && !touch.current) selection.only(id)
      const box = (event.target as Element).closest('button')!.getBoundingClientRect()
      return onMenu(id, { x: box.left, y: box.bottom + 4 })
    }
    if (act === 'rename') {
      selection.only(id)
      return selection.edit(id, isFolderId(id) ? 'name' : 'title')
    }
    if (event.shiftKey && act !== 'menu') return onChooseTo(id)
    if (act === 'select') return selection.toggle(id)
    if (event.ctrlKey || event.metaKey) return selection.toggle(id)
    if (touch.current) {
      if (selection.ids.size > 0) return selection.toggle(id)
      selection.focusOn(id)
      if (tag) return onTag(tag)
      return isFolderId(id) ? onOpen(id) : onQuickLook(id)
    }
    if (tag) return onTag(tag)
    selection.only(id)
  }

  function onDoubleClick(event: MouseEvent) {
    const { id, act } = partAt(event)
    if (!id || act === 'select' || act === 'menu' || act === 'tag' || touch.current) return
    if (act === 'title') return selection.edit(id, isFolderId(id) ? 'name' : 'title')
    if (act === 'description') return selection.edit(id, 'description')
    onOpen(id)
  }

  function onContextMenu(event: MouseEvent) {
    const { id } = partAt(event)
    event.preventDefault()
    if (touch.current) return
    if (!id) selection.clear()
    else if (!selection.has(id)) selection.only(id)
    onMenu(id ?? null, { x: event.clientX, y: event.clientY })
  }

  return {
    onClick,
    onDoubleClick,
    onContextMenu,
    onPointerDown,
    onPointerMove,
    onPointerUp: letGo,
    onPointerCancel: letGo,
  }
}

function partAt(event: { target: EventTarget }): { id?: string; act?: string; tag?: string } {
  const target = event.target as Element
  const cell = target.closest<HTMLElement>('[data-id]')
  const { act, tag } = target.closest<HTMLElement>('[data-act]')?.dataset ?? {}
  return { id: cell?.dataset.id, act, tag }
}
