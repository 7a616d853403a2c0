import { useNotifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import { onceOnline } from './once-online.ts'
import { useEver } from './use-ever.ts'

export const loadToasts = () => import('./toast-corner.tsx')
const ToastCorner = lazy(() => onceOnline(loadToasts).then((room) => ({ default: room.ToastCorner })))

/** Where toasts show, from the first one on. */
export function Toasts() {
  const isUsed = useEver(useNotifications().notifications.length > 0)
  return <Suspense>{isUsed && <ToastCorner />}</Suspense>
}
