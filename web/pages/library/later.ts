import { useEffect } from 'react'
import { partOf } from '../../ui/part.ts'
import { loadToasts } from '../../ui/toasts.tsx'
import { loadTray } from '../../uploads/uploads.tsx'
import { prefetchWords } from '../../words/spoken.ts'

const soon = () => import('./soon.ts')

export const BatchBar = partOf(soon, 'BatchBar')
export const OpenDialog = partOf(soon, 'OpenDialog')
export const OpenMenu = partOf(soon, 'OpenMenu')

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
