import { createStore } from '../store.ts'
import type { Answer, Hello, Wishes } from './messages.ts'

/** The page around this frame, once it has said what it wants. */
export interface Embedder extends Wishes {
  origin: string
  answer(said: Answer): void
}

export const embedder = createStore<Embedder | null>(null)

/**
 * Heard from the page around this frame alone, and the browser lets none be there that the server did not name
 * (`frame-ancestors`). What is answered goes to the port that came along: nobody else has its other end.
 */
addEventListener(
  'message',
  ({ source, origin, data, ports: [port] }: MessageEvent<Partial<Hello> | null>) => {
    if (source !== parent || parent === window || data?.type !== 'asset-picker' || !port) return
    const { client, surface, multiple = false, language, theme } = data
    embedder.set({
      client,
      surface,
      multiple,
      language,
      theme,
      origin,
      answer: (said) => port.postMessage(said),
    })
  },
)
