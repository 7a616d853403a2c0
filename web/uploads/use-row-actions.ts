import { useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { accepts, pickFiles } from './pick-files.ts'
import { can, type Upload } from './upload.ts'
import type { RowActions } from './upload-row.tsx'
import { useUploading } from './uploading.tsx'

export type Show = (asset: { assetId: string; folderId: string | null }) => void

export function useRowActions(
  onShow: Show,
  describe: (upload: Upload) => void,
  list: React.RefObject<HTMLDivElement | null>,
): RowActions {
  const t = useTranslations('uploads')
  const duplicates = useTranslations('duplicates')
  const problemText = useProblemText()
  const { can: may } = useLibrary()
  const { engine } = useUploading()
  const undo = useUndo()
  const mayDelete = may('assets:delete')
  // Rows keep their actions for life: what changes with every render is read when it is needed.
  const latest = useRef({ onShow, describe, t, duplicates, problemText, undo })
  latest.current = { onShow, describe, t, duplicates, problemText, undo }
  return useMemo(() => {
    const saying = async (act: () => Promise<void>) => {
      try {
        await act()
      } catch (error) {
        toast({ text: latest.current.problemText(error), bad: true })
      }
    }
    return {
      mayDelete,
      pause: engine.pause,
      retry: engine.retry,
      describe: (upload) => latest.current.describe(upload),
      show: ({ asset }) => asset && latest.current.onShow(asset),
      showTwin: ({ asset }) =>
        saying(async () => latest.current.onShow(await engine.assetAt(asset!.duplicateOf!))),
      removeCopy: ({ id }) =>
        saying(async () => {
          const takeBack = await engine.removeCopy(id)
          if (takeBack) latest.current.undo.offer(latest.current.t('removed'), takeBack)
          else toast({ text: latest.current.duplicates('lastOne') })
          list.current?.focus()
        }),
      async resume(upload) {
        if (upload.file || upload.isSent) return engine.resume(upload.id)
        const [file] = await pickFiles({ accept: accepts.all })
        if (file && !engine.goOnWith(upload.id, file))
          toast({ text: latest.current.t('otherFile', { name: upload.name }), bad: true })
      },
      remove(upload) {
        if (can(upload, 'cancel')) engine.cancel(upload.id)
        else engine.dismiss(upload.id)
        list.current?.focus() // the button that had the focus is gone
      },
    }
  }, [engine, mayDelete, list])
}
