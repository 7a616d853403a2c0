import { useNotifications } from '@mantine/notifications'
import { Suspense } from 'react'
import { partOf } from './part.ts'
import { useEver } from './use-ever.ts'

export const loadToasts = () => import('./toast-corner.tsx')
const ToastCorner = partOf(loadToasts, 'ToastCorner')

/** Where toasts show, from the first one on. */
export function Toasts() {
  const isUsed = useEver(useNotifications().notifications.length > 0)
  return <Suspense>{isUsed && <ToastCorner />}</Suspense>
}
