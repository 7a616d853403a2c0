import { useSyncExternalStore } from 'react'

let said = ''
const listeners = new Set<() => void>()

/** Says it to screen readers, without interrupting. */
export function announce(text: string) {
  // The same words again are only read again when they differ.
  said = text === said ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

export function LiveRegion() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => said,
  )
  return (
    <output aria-live="polite" className="unseen">
      {text}
    </output>
  )
}
