import { createStore, useStore } from '../store.ts'

/** Milliseconds between messages: a screen reader would drop the first for the second. */
const pace = 500

const spoken = createStore('')
let waiting: string[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Says it to screen readers, without interrupting. */
export function announce(text: string) {
  waiting.push(text)
  if (!timer) next()
}

function next() {
  const [text, ...later] = waiting
  waiting = later
  timer = text === undefined ? undefined : setTimeout(next, pace)
  if (text === undefined) return
  // The same words again are only read again when they differ.
  spoken.set(text === spoken.get() ? `${text}\u00a0` : text)
}

/** Mounted once, from the start: screen readers only follow live regions that were there before they change. */
export function LiveRegion() {
  const text = useStore(spoken)
  return (
    <output aria-live="polite" className="unseen">
      {text}
    </output>
  )
}
