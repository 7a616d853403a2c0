import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Folder } from '../../contract/folders.ts'
import { toast } from '../ui/toast.tsx'
import type { Tree } from './folders.ts'

/** When the folder one is in goes to the trash, the nearest one above it that is still there takes its place. */
export function useLivingFolder(
  folderId: string | null,
  tree: Tree,
  onGo: (folderId: string | undefined) => void,
) {
  const failed = useTranslations('failed')
  const root = useTranslations('library')('root')
  const known = useRef<Folder[]>([])
  const go = useRef(onGo)
  go.current = onGo

  useEffect(() => {
    const path = tree.path(folderId)
    const was = known.current
    known.current = path
    if (!folderId || path.length > 0 || was.at(-1)?.folderId !== folderId) return
    const living = was.findLast((folder) => tree.byId.has(folder.folderId))
    toast({
      text: failed('folderTrashed', { name: was.at(-1)!.name, place: living?.name ?? root }),
    })
    go.current(living?.folderId)
  }, [folderId, tree, failed, root])
}
