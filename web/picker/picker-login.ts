import type { PickerToken } from '../../contract/picker.ts'
import type { Embedder } from './embedder.ts'
import { tokenMessage } from './messages.ts'

type Asking = Pick<Embedder, 'origin' | 'client'>

const nameOf = ({ origin, client }: Asking) => `picker ${origin} ${client ?? ''}`

/** For as long as this tab is open; a browser may keep nothing at all of a frame. */
export function keptToken(asking: Asking): PickerToken | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(asking)) ?? 'null') as PickerToken | null
    return kept && Date.parse(kept.expiresAt) > Date.now() ? kept : null
  } catch {
    return null
  }
}

export function keepToken(asking: Asking, token: PickerToken | null): void {
  try {
    if (token) sessionStorage.setItem(nameOf(asking), JSON.stringify(token))
    else sessionStorage.removeItem(nameOf(asking))
  } catch {}
}

/** A window of the library's own: here, on somebody else's page, nobody should type a password. */
export function openSignIn({ origin, client }: Asking): Window | null {
  const asked = new URLSearchParams({ embedder: origin, ...(client && { client }) })
  return window.open(`/app/picker?${asked}`, '_blank', 'popup,width=480,height=720')
}

/** The token that the window hands over. It is on this origin, and it is the one that was opened. */
export function onToken(from: () => Window | null, take: (token: PickerToken) => void): () => void {
  const hear = ({ source, origin, data }: MessageEvent) => {
    if (origin === location.origin && source !== null && source === from() && data?.type === tokenMessage)
      take(data.token)
  }
  addEventListener('message', hear)
  return () => removeEventListener('message', hear)
}
