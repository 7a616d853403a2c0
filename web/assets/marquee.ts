import { type PointerEvent, type RefObject, useRef, useState } from 'react'

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const edge = 48
const leastDrag = 6

/** A rectangle drawn with the mouse over the empty ground of a list, in the coordinates of the list. */
export function useMarquee(
  scroller: RefObject<HTMLElement | null>,
  /** Where the list stands. */
  offset: () => number,
  /** `isDrawn` once it has ended. */
  onChange: (box: Box, isDrawn: boolean) => void,
) {
  const [box, setBox] = useState<{ left: number; top: number; width: number; height: number } | null>(null)
  const ended = useRef(false)
  const change = useRef(onChange)
  change.current = onChange

  function start(down: PointerEvent) {
    const element = scroller.current!
    const frame = element.getBoundingClientRect()
    // On the scroll bar nothing is drawn.
    if (down.button !== 0 || down.clientX - frame.left > element.clientWidth) return
    const origin = { x: down.clientX - frame.left, y: down.clientY - frame.top + offset() }
    let pointer = { x: down.clientX, y: down.clientY }
    let drawn: Box | undefined
    let timer = 0

    function draw() {
      const x = pointer.x - frame.left
      const y = pointer.y - frame.top + offset()
      if (!drawn && Math.hypot(x - origin.x, y - origin.y) < leastDrag) return
      const next = {
        left: Math.min(x, origin.x),
        top: Math.min(y, origin.y),
        right: Math.max(x, origin.x),
        bottom: Math.max(y, origin.y),
      }
      setBox({
        left: next.left,
        top: next.top,
        width: next.right - next.left,
        height: next.bottom - next.top,
      })
      drawn = next
      change.current(next, false)
    }
    function scrollAtEdge() {
      const above = frame.top + edge - pointer.y
      const below = pointer.y - (frame.bottom - edge)
      if (drawn && (above > 0 || below > 0)) {
        element.scrollTop += above > 0 ? -above / 3 : below / 3
        draw()
      }
      timer = requestAnimationFrame(scrollAtEdge)
    }
    function onMove(event: globalThis.PointerEvent) {
      pointer = { x: event.clientX, y: event.clientY }
      draw()
    }
    function onUp() {
      cancelAnimationFrame(timer)
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onUp)
      // Only the click that comes with the end of the drawing is ignored.
      ended.current = drawn !== undefined
      if (drawn) change.current(drawn, true)
      setTimeout(() => {
        ended.current = false
      })
      setBox(null)
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', onUp)
    timer = requestAnimationFrame(scrollAtEdge)
  }

  return { box, start, justEnded: () => ended.current }
}
