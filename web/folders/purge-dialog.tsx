import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { isFolderId } from '../library/selection.ts'
import { toast } from '../ui/toast.tsx'
import { TypedConfirm } from '../ui/typed-confirm.tsx'
import { fileSize } from '../words/file-size.ts'
import { usePurging, useTrashContents } from './trash.ts'

/** Deletes some of the trash for good. */
export function PurgeDialog({ ids, onClose }: { ids: string[]; onClose(): void }) {
  const t = useTranslations('purge')
  const { emptyTrash, deleteForGood } = usePurging()
  const work = useWork(onClose)
  const confirm = () =>
    work.run(async () => {
      let kept = 0
      for (const id of ids)
        if (isFolderId(id)) {
          const done = await emptyTrash(id)
          kept += done.kept.held + done.kept.inUse
        } else await deleteForGood(id)
      toast({ text: kept > 0 ? t('doneKept', { kept }) : t('done', { count: ids.length }), bad: kept > 0 })
    })
  return (
    <TypedConfirm
      title={t('title', { count: ids.length })}
      word={t('word')}
      label={t('type', { word: t('word') })}
      button={t('button')}
      error={work.error}
      isPending={work.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t('text')}
    </TypedConfirm>
  )
}

/** Empties the trash, or a folder in it. */
export function EmptyTrashDialog({
  folderId,
  onDone,
  onClose,
}: {
  folderId?: string | undefined
  onDone?(): void
  onClose(): void
}) {
  const t = useTranslations('purge')
  const locale = useLocale()
  const { emptyTrash } = usePurging()
  const trash = useTrashContents(folderId)
  const work = useWork(onClose)
  const confirm = () =>
    work.run(async () => {
      const { freedBytes, kept } = await emptyTrash(folderId)
      toast({ text: t('emptied', { size: fileSize(freedBytes, locale), kept: kept.held + kept.inUse }) })
      onDone?.()
    })
  return (
    <TypedConfirm
      title={t('emptyTitle')}
      word={t('word')}
      label={t('type', { word: t('word') })}
      button={t('button')}
      error={work.error}
      isPending={work.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {trash && (
        <p>
          {t('emptyText', {
            assets: trash.assets,
            folders: trash.folders,
            size: fileSize(trash.bytes, locale),
          })}
        </p>
      )}
      {trash && trash.kept.held + trash.kept.inUse > 0 && <p>{t('kept', trash.kept)}</p>}
      <p>{t('text')}</p>
    </TypedConfirm>
  )
}

function useWork(onClose: () => void) {
  const [state, setState] = useState<{ isPending: boolean; error: unknown }>({
    isPending: false,
    error: null,
  })
  return {
    ...state,
    async run(work: () => Promise<void>) {
      setState({ isPending: true, error: null })
      try {
        await work()
        onClose()
      } catch (error) {
        setState({ isPending: false, error })
      }
    },
  }
}
