import { Button } from '@mantine/core'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLibrary } from '../../library/library.tsx'
import { isFiltered } from '../../library/place.ts'
import { useTrashDays } from '../../library/use-trash-days.ts'
import type { LibraryPage } from './use-commands.ts'

/** What the trash is, and in a folder of it the way to bring that back with all that is in it. */
export function TrashHint({ page: { list, here, commands } }: { page: LibraryPage }) {
  const t = useTranslations('library')
  const { can } = useLibrary()
  const days = useTrashDays()
  const [deleted] = list.path
  const emptyTrash = (folderId?: string) => (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Trash2 size={14} />}
      onClick={() => commands.dialog({ kind: 'empty-trash', folderId })}
    >
      {t(folderId ? 'purgeFolder' : 'emptyTrash')}
    </Button>
  )
  if (here.place.inside && deleted)
    return (
      <div className="results">
        <span>{t('trashedFolder', { name: deleted.name })}</span>
        {can('folders:write') && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<RotateCcw size={14} />}
            onClick={() => {
              commands.openFolder('trash')
              commands.restore([deleted.folderId])
            }}
          >
            {t('restoreFolder', { name: deleted.name })}
          </Button>
        )}
        {can('assets:purge') && emptyTrash(deleted.folderId)}
      </div>
    )
  if (days === null || list.isEmpty) return null
  return (
    <div className="results">
      <span>
        {t('trashHint', { days })} {can('assets:delete') && t('restoreHint')}
      </span>
      {/* All of it would go, and not only what was found. */}
      {can('assets:purge') && !isFiltered(list.place) && emptyTrash()}
    </div>
  )
}
