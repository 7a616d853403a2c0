import type { KeyboardEvent, MouseEvent } from 'react'
import { createStore, useStore } from '../store.ts'

export interface Pin {
  x: number
  y: number
}

/** What is pointed to in the large picture, by the comment that is being written and by the one that is read. */
interface Pinning {
  assetId: string
  /** The next click on the picture sets the pin. */
  isPlacing: boolean
  pin: Pin | null
  /** The thread whose place is shown. */
  threadId: string | null
}

const nothing: Pinning = { assetId: '', isPlacing: false, pin: null, threadId: null }
const pinning = createStore(nothing)

export const usePinning = (assetId: string): Pinning => {
  const now = useStore(pinning)
  return now.assetId === assetId ? now : nothing
}

export function setPinning(assetId: string, change: Partial<Omit<Pinning, 'assetId'>>): void {
  const now = pinning.get()
  pinning.set({ ...(now.assetId === assetId ? now : nothing), ...change, assetId })
}

/** The film that is shown large, whose moment a comment speaks of. */
export const largeFilm = () => document.querySelector<HTMLVideoElement>('.quick-look video')

const within = (value: number) => Math.min(1, Math.max(0, Math.round(value * 10_000) / 10_000))

export const middle: Pin = { x: 0.5, y: 0.5 }

/** Where it was clicked; by the keyboard, in the middle. */
export function placeOf({ clientX, clientY, detail, currentTarget }: MouseEvent): Pin {
  if (detail === 0) return middle
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return { x: within((clientX - left) / width), y: within((clientY - top) / height) }
}

/** The arrows move it, and nothing else while they do. */
export const movesByKeys = (pin: Pin, onMoved: (pin: Pin) => void) => (event: KeyboardEvent) => {
  const moved = movedBy(event, pin)
  if (!moved) return
  event.preventDefault()
  event.stopPropagation()
  onMoved(moved)
}

function movedBy({ key, shiftKey }: KeyboardEvent, { x, y }: Pin): Pin | undefined {
  const step = shiftKey ? 0.1 : 0.01
  const [right, down] =
    { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? []
  return right === undefined ? undefined : { x: within(x + right * step), y: within(y + down! * step) }
}
