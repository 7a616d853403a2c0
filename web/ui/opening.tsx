import { useEffect, useRef } from 'react'
import { cancels } from '../once-there.ts'

/** Stands for what was opened and is not there yet. Escape cancels it as it would close it. */
export function Opening({ onCancel }: { onCancel(): void }) {
  const latest = useRef(onCancel)
  latest.current = onCancel
  useEffect(() => {
    const cancel = () => latest.current()
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || cancels.get().at(-1) !== cancel) return
      event.preventDefault()
      event.stopPropagation()
      cancel()
    }
    cancels.set([...cancels.get(), cancel])
    addEventListener('keydown', onKeyDown, true)
    return () => {
      cancels.set(cancels.get().filter((other) => other !== cancel))
      removeEventListener('keydown', onKeyDown, true)
    }
  }, [])
  return null
}
