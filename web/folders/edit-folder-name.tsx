import { useTranslations } from 'use-intl'
import type { Folder } from '../../contract/folders.ts'
import { useUndo } from '../library/undo.ts'
import { InlineEdit } from '../ui/inline-edit.tsx'
import { useSaid } from '../ui/said.ts'
import { toast } from '../ui/toast.tsx'
import { useFolderChanges } from './folders.ts'

/** A folder's name, being edited. */
export function EditFolderName({ folder, onEnd }: { folder: Folder; onEnd(): void }) {
  const t = useTranslations('folder')
  const done = useTranslations('done')
  const failed = useTranslations('failed')
  const folders = useFolderChanges()
  const undo = useUndo()
  const said = useSaid()

  async function rename(name: string) {
    try {
      const renamed = await folders.change(folder, { name })
      undo.offer(done('renamed', { title: renamed.name }), () =>
        folders.change(renamed, { name: folder.name }),
      )
      return true
    } catch (error) {
      toast({
        text: `${failed('rolledBack', { title: folder.name })} ${said(error)} ${failed('typedIsKept')}`,
        bad: true,
      })
      return false
    }
  }

  return (
    <InlineEdit
      of={`${folder.folderId} name`}
      value={folder.name}
      label={t('name')}
      maxLength={120}
      onSave={rename}
      onEnd={onEnd}
    />
  )
}
