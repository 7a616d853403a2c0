import { Copy, FolderInput, Megaphone, RotateCcw, Send, Tag, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLibrary } from '../../library/library.tsx'

interface BatchBarProps {
  count: number
  hasAssets: boolean
  inTrash: boolean
  onMove(): void
  onTag(): void
  onSurfaces(): void
  onDeliver(): void
  onCopyRefs(): void
  onDelete(): void
  onRestore(): void
  onClear(): void
}

/** What can be done with everything selected, at the foot of the list. */
export function BatchBar(props: BatchBarProps) {
  const t = useTranslations('batch')
  const actions = useTranslations('actions')
  const { frame, can } = useLibrary()
  return (
    <div className="batch-bar" role="toolbar" aria-label={t('label')}>
      <span className="batch-count">{t('selected', { count: props.count })}</span>
      {props.inTrash ? (
        can('assets:delete') && (
          <Act icon={<RotateCcw size={16} />} label={t('restore')} onClick={props.onRestore} />
        )
      ) : (
        <>
          {can('assets:write') && (
            <Act icon={<FolderInput size={16} />} label={t('move')} onClick={props.onMove} />
          )}
          {can('assets:write') && props.hasAssets && (
            <>
              <Act icon={<Tag size={16} />} label={t('tag')} onClick={props.onTag} />
              <Act icon={<Megaphone size={16} />} label={t('surfaces')} onClick={props.onSurfaces} />
            </>
          )}
          {frame === 'admin' && can('deliveries:write') && props.hasAssets && (
            <Act icon={<Send size={16} />} label={t('deliver')} onClick={props.onDeliver} />
          )}
          {props.hasAssets && (
            <Act
              icon={<Copy size={16} />}
              label={t('copyRefs')}
              className="batch-refs"
              onClick={props.onCopyRefs}
            />
          )}
          {can('assets:delete') && (
            <Act icon={<Trash2 size={16} />} label={t('delete')} onClick={props.onDelete} />
          )}
        </>
      )}
      <button
        type="button"
        className="batch-act batch-clear"
        aria-label={actions('clearSelection')}
        title={actions('clearSelection')}
        onClick={props.onClear}
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
