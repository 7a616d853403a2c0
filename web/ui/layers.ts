import { useEffect, useState } from 'react'
import { createStore, useStore } from '../store.ts'

const opened = createStore<symbol[]>([])

/** Of dialogs and drawers that lie over each other, Escape closes the uppermost. */
export function useIsTop(isOpened: boolean): boolean {
  const [me] = useState(() => Symbol())
  useEffect(() => {
    if (!isOpened) return
    opened.set([...opened.get(), me])
    return () => opened.set(opened.get().filter((other) => other !== me))
  }, [isOpened, me])
  return useStore(opened, (all) => all.at(-1) === me)
}
