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
