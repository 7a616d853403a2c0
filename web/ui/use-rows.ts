import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RowHeights } from './row-heights.ts'
import { scrollSpace } from './scroll-space.ts'

export type Rows = ReturnType<typeof useRows>

interface View {
  /** Where the list stands, and how far that is from where the bar does. */
  offset: number
  shift: number
  height: number
}

/** The bar rests: it goes to where it belongs. */
const rests = 150

/** The rows in sight of a list of any length, and where they are drawn; `lead` is the height of what stays above them. */
export function useRows(
  scroller: RefObject<HTMLElement | null>,
  heights: RowHeights,
  spare: number,
  lead = 0,
) {
  const [view, setView] = useState<View>({ offset: 0, shift: 0, height: 0 })
  const stand = useRef({ top: 0, offset: 0 })
  const latest = useRef(heights)
  latest.current = heights

  const scrolling = useMemo(() => {
    const space = () => scrollSpace(latest.current.total, scroller.current!.clientHeight)

    /** Near by the list follows the bar pixel by pixel; a bar that is dragged leads anywhere. */
    function offset(): number {
      // Whoever asks when the list is gone hears where it stood.
      if (!scroller.current) return stand.current.offset
      const { scrollTop: top, clientHeight, scrollHeight } = scroller.current
      const moved = top - stand.current.top
      if (moved === 0) return stand.current.offset
      const { leap, toList } = space()
      const isAtEnd = top <= 0 || top + clientHeight >= scrollHeight - 1
      const isNear = Math.abs(moved) < leap && !isAtEnd
      stand.current = { top, offset: isNear ? stand.current.offset + moved : toList(top) }
      return stand.current.offset
    }

    function look() {
      if (!scroller.current) return
      const now = offset()
      const next = { offset: now, shift: now - stand.current.top, height: scroller.current.clientHeight }
      setView((before) => (isSame(latest.current, spare, before, next) ? before : next))
    }

    function stands(at: { top: number; offset: number }) {
      stand.current = at
      scroller.current!.scrollTop = at.top
    }

    function scrollTo(wanted: number) {
      if (!scroller.current) return
      const { leap, height, toBar } = space()
      const room = scroller.current.clientHeight
      const to = Math.max(0, Math.min(wanted, latest.current.total - room))
      const near = stand.current.top + to - offset()
      const isNear = Math.abs(to - offset()) < leap && near > 0 && near < height - room
      stands({ top: isNear ? near : Math.round(toBar(to)), offset: to })
      look()
    }

    /** Takes the bar to where it belongs; what is in sight stays where it is. */
    function settle() {
      if (!scroller.current) return
      const now = offset()
      const top = Math.round(space().toBar(now))
      if (Math.abs(top - stand.current.top) <= 1) return
      stands({ top, offset: now })
      look()
    }
    return { offset, look, scrollTo, settle }
  }, [scroller, spare])

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are more, fewer or other rows
  useLayoutEffect(() => {
    scrolling.look()
    scrolling.settle()
  }, [heights, scrolling])

  useEffect(() => {
    const element = scroller.current!
    let timer: ReturnType<typeof setTimeout>
    const onScroll = () => {
      scrolling.look()
      clearTimeout(timer)
      // Drawn at once, so that nothing is seen of it.
      timer = setTimeout(() => flushSync(scrolling.settle), rests)
    }
    const observer = new ResizeObserver(scrolling.look)
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller, scrolling])

  const [from, to] = span(heights, view, spare)
  return {
    inSight: Array.from({ length: to - from }, (_, at) => from + at),
    /** Of what is scrolled. */
    height: scrollSpace(heights.total, view.height).height,
    shift: view.shift,
    topOf: (row: number) => heights.startOf(row) - view.shift,
    offset: scrolling.offset,
    scrollTo: scrolling.scrollTo,
    /** Brings the row into sight, by as little as that takes, or into the middle. */
    show(row: number, align: 'nearest' | 'center' = 'nearest') {
      const [start, end] = [latest.current.startOf(row), latest.current.endOf(row)]
      const height = scroller.current!.clientHeight - lead
      const offset = scrolling.offset()
      if (align === 'center') scrolling.scrollTo((start + end - height) / 2)
      else if (start < offset) scrolling.scrollTo(start)
      else if (end > offset + height) scrolling.scrollTo(end - height)
    },
  }
}

function span(heights: RowHeights, { offset, height }: View, spare: number): [from: number, to: number] {
  if (heights.count === 0) return [0, 0]
  const at = Math.max(0, Math.min(offset, heights.total - height))
  return [
    Math.max(0, heights.rowAt(at) - spare),
    Math.min(heights.count, heights.rowAt(at + height) + 1 + spare),
  ]
}

function isSame(heights: RowHeights, spare: number, a: View, b: View): boolean {
  const [from, to] = span(heights, a, spare)
  const [nextFrom, nextTo] = span(heights, b, spare)
  return from === nextFrom && to === nextTo && a.shift === b.shift && a.height === b.height
}
