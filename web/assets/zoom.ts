import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'

/** How a picture lies on its stage: enlarged, and moved from the middle by so many pixels. */
export interface View {
  scale: number
  x: number
  y: number
}
interface Point {
  x: number
  y: number
}

const whole: View = { scale: 1, x: 0, y: 0 }
const largest = 8
const near = 2.5
const step = 1.5
const swipe = 56
const still = 6

/**
 * Zoom and pan by wheel, two fingers, drag, double click and keys; a finger along a whole picture is a swipe. All of
 * it starts over with another `subject`.
 */
export function useZoom(
  stage: RefObject<HTMLElement | null>,
  {
    subject,
    zoomable,
    onSwipe,
  }: { subject: string; zoomable: boolean; onSwipe(to: 'next' | 'previous'): void },
) {
  const [at, setAt] = useState({ subject, view: whole })
  const view = at.subject === subject ? at.view : whole
  const latest = useRef(view)
  latest.current = view
  const fingers = useRef(new Map<number, Point>())
  const gesture = useRef<{ from: Point; moved: boolean; pinched: boolean; mayMove: boolean }>(undefined)

  const show = useCallback(
    (next: View) => {
      if (!zoomable) return false
      const { x, y } = latest.current
      latest.current = within(stage.current, next)
      setAt({ subject, view: latest.current })
      return latest.current.x !== x || latest.current.y !== y
    },
    [stage, subject, zoomable],
  )
  /** Enlarges by so much; what is under the point stays there. */
  const zoomBy = useCallback(
    (factor: number, around: Point = { x: 0, y: 0 }) => {
      const { scale, x, y } = latest.current
      const next = Math.min(largest, Math.max(1, scale * factor))
      const grown = next / scale
      show({
        scale: next,
        x: around.x - (around.x - x) * grown,
        y: around.y - (around.y - y) * grown,
      })
    },
    [show],
  )
  /** False at the edge of the picture, where there is nothing more to be seen. */
  const panBy = (x: number, y: number) =>
    show({ ...latest.current, x: latest.current.x + x, y: latest.current.y + y })

  // React listens to the wheel passively, where the page's own zoom cannot be kept from answering too.
  useEffect(() => {
    const ground = stage.current!
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), fromMiddle(ground, event))
    }
    ground.addEventListener('wheel', onWheel, { passive: false })
    return () => ground.removeEventListener('wheel', onWheel)
  }, [stage, zoomBy])

  function onPointerDown(event: PointerEvent) {
    if ((event.target as Element).closest('button, a') || event.button !== 0) return
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (fingers.current.size === 1)
      gesture.current = {
        from: { x: event.clientX, y: event.clientY },
        moved: false,
        pinched: false,
        mayMove: !onControls(event),
      }
    else if (gesture.current) gesture.current.pinched = true
  }

  function onPointerMove(event: PointerEvent) {
    const before = fingers.current.get(event.pointerId)
    const { current } = gesture
    if (!before || !current?.mayMove) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    if (Math.hypot(now.x - current.from.x, now.y - current.from.y) > still) current.moved = true
    if (other) {
      const middle = { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }
      zoomBy(distance(now, other) / (distance(before, other) || 1), fromMiddle(stage.current!, middle))
      panBy((now.x - before.x) / 2, (now.y - before.y) / 2)
    } else if (latest.current.scale > 1) panBy(now.x - before.x, now.y - before.y)
  }

  function onPointerUp(event: PointerEvent) {
    const { current } = gesture
    if (!fingers.current.delete(event.pointerId) || !current || fingers.current.size > 0) return
    const along = event.clientX - current.from.x
    const across = Math.abs(event.clientY - current.from.y)
    const swiped =
      event.pointerType === 'touch' && current.mayMove && !current.pinched && latest.current.scale === 1
    if (swiped && Math.abs(along) > swipe && Math.abs(along) > 1.5 * across)
      onSwipe(along < 0 ? 'next' : 'previous')
  }

  return {
    view,
    isZoomed: view.scale > 1,
    zoomIn: () => zoomBy(step),
    zoomOut: () => zoomBy(1 / step),
    reset: () => show(whole),
    panBy,
    /** A drag ends with a click, which is not meant. */
    wasDrag: () => !!gesture.current?.moved || !!gesture.current?.pinched,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave: onPointerUp,
      onDoubleClick(event: MouseEvent) {
        if ((event.target as Element).closest('button, a, video')) return
        if (latest.current.scale > 1) show(whole)
        else zoomBy(near, fromMiddle(stage.current!, event))
      },
    },
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

function fromMiddle(stage: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const box = stage.getBoundingClientRect()
  return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
}

/** Never further than the picture's own edge. */
function within(stage: HTMLElement | null, { scale, x, y }: View): View {
  const picture = stage?.querySelector<HTMLElement>('img.quick-look-media')
  if (!stage || !picture || scale <= 1) return whole
  const room = {
    x: Math.max(0, (picture.offsetWidth * scale - stage.clientWidth) / 2),
    y: Math.max(0, (picture.offsetHeight * scale - stage.clientHeight) / 2),
  }
  const held = (value: number, most: number) => Math.min(most, Math.max(-most, value))
  return { scale, x: held(x, room.x), y: held(y, room.y) }
}

/** The lower edge of a film, where the browser's own controls are dragged. */
function onControls({ target, clientY }: PointerEvent): boolean {
  const film = (target as Element).closest('video')
  return !!film && clientY > film.getBoundingClientRect().bottom - 72
}
