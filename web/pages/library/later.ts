import { lazy, useEffect } from 'react'
import { loadToasts } from '../../ui/toasts.tsx'
import { loadTray } from '../../uploads/uploads.tsx'
import { prefetchWords } from '../../words/spoken.ts'

const soon = () => import('./soon.ts')

export const BatchBar = lazy(() => soon().then((room) => ({ default: room.BatchBar })))
export const OpenDialog = lazy(() => soon().then((room) => ({ default: room.OpenDialog })))
export const OpenMenu = lazy(() => soon().then((room) => ({ default: room.OpenMenu })))

/** Long enough for the first pictures. */
const quiet = 500

/** Reads ahead what is needed next, when the page has been shown for a while. */
export function useLater(isShown: boolean) {
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => {
      for (const load of [soon, loadTray, loadToasts, prefetchWords]) load().catch(() => {})
    }, quiet)
    return () => clearTimeout(timer)
  }, [isShown])
}
