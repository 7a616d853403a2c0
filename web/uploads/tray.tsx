import { Suspense } from 'react'
import { useStore } from '../store.ts'
import { partOf } from '../ui/part.ts'
import { useEver } from '../ui/use-ever.ts'
import { useUploading } from './uploading.tsx'
import type { Show } from './use-row-actions.ts'

export const loadTray = () => import('./upload-tray.tsx')
const FilledTray = partOf(loadTray, 'UploadTray')

/** The tray, from the first upload on. */
export function UploadTray({ onShow }: { onShow: Show }) {
  const { engine } = useUploading()
  const isUsed = useEver(useStore(engine.snapshot, ({ uploads }) => uploads.length > 0))
  return <Suspense>{isUsed && <FilledTray onShow={onShow} />}</Suspense>
}
