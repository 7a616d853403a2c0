import {
  Copy,
  FolderInput,
  GalleryHorizontal,
  Megaphone,
  RotateCcw,
  Send,
  Share2,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useLibrary } from '../../library/library.tsx'
import { isFolderId, isShareable } from '../../library/selection.ts'
import type { LibraryPage } from './use-commands.ts'

/** Of any target. */
const mostInPost = 35

/** What can be done with everything selected, at the foot of the list. */
export function BatchBar({ page }: { page: LibraryPage }) {
  const t = useTranslations('batch')
  const actions = useTranslations('actions')
  const shares = useTranslations('shares')
  const format = useFormatter()
  const { can, frame } = useLibrary()
  const { here, may, selection, selectedIds: ids, commands } = page
  const assets = ids.filter((id) => !isFolderId(id)).length
  const hasAssets = assets > 0
  const opens = (kind: 'move' | 'tag' | 'surfaces' | 'deliver' | 'plan' | 'share') => () =>
    commands.dialog({ kind, ids })
  return (
    <div className="batch-bar" role="toolbar" aria-label={t('label')}>
      <span className="batch-count">{t('selected', { count: ids.length })}</span>
      <span className="batch-number" aria-hidden>
        {format.number(ids.length)}
      </span>
      {here.isTrash ? (
        commands.mayRestore(ids) && (
          <>
            {can('assets:delete') && (
              <Act
                icon={<RotateCcw size={16} />}
                label={t('restore')}
                onClick={() => commands.restore(ids)}
              />
            )}
            {can('assets:purge') && (
              <Act
                icon={<Trash2 size={16} />}
                label={t('purge')}
                onClick={() => commands.dialog({ kind: 'purge', ids })}
              />
            )}
          </>
        )
      ) : (
        <>
          {may.write && <Act icon={<FolderInput size={16} />} label={t('move')} onClick={opens('move')} />}
          {may.write && hasAssets && (
            <>
              <Act icon={<Tag size={16} />} label={t('tag')} onClick={opens('tag')} />
              <Act icon={<Megaphone size={16} />} label={t('surfaces')} onClick={opens('surfaces')} />
            </>
          )}
          {may.deliver && hasAssets && (
            <Act icon={<Send size={16} />} label={t('deliver')} onClick={opens('deliver')} />
          )}
          {can('shares:write') && isShareable(ids) && (
            <Act icon={<Share2 size={16} />} label={shares('shareShort')} onClick={opens('share')} />
          )}
          {frame === 'admin' && assets > 1 && assets <= mostInPost && (
            <Act
              icon={<GalleryHorizontal size={16} />}
              label={t('plan')}
              className="batch-refs"
              onClick={opens('plan')}
            />
          )}
          {hasAssets && (
            <Act
              icon={<Copy size={16} />}
              label={t('copyRefs')}
              className="batch-refs"
              onClick={() => commands.copy('refs', ids)}
            />
          )}
          {may.delete && (
            <Act icon={<Trash2 size={16} />} label={t('delete')} onClick={() => commands.trash(ids)} />
          )}
        </>
      )}
      <button
        type="button"
        className="batch-act batch-clear"
        aria-label={actions('clearSelection')}
        title={actions('clearSelection')}
        onClick={() => selection.clear()}
      >
        <X size={16} />
      </button>
    </div>
  )
}

const Act = ({
  icon,
  label,
  className = '',
  onClick,
}: {
  icon: ReactNode
  label: string
  className?: string
  onClick(): void
}) => (
  <button
    type="button"
    className={`batch-act ${className}`}
    aria-label={label}
    title={label}
    onClick={onClick}
  >
    {icon}
    <span>{label}</span>
  </button>
)
