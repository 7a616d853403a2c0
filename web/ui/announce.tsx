import { createStore, useStore } from '../store.ts'

/** How long words stand before the next ones: a screen reader that is still at the first would lose them. */
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

/** There once, on every page, from the start: readers listen only to what was there before it spoke. */
export function LiveRegion() {
  const text = useStore(spoken)
  return (
    <output aria-live="polite" className="unseen">
      {text}
    </output>
  )
}
