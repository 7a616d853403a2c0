import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useTrashDays } from '../library/use-trash-days.ts'

const day = 86_400_000

/** How long it stays in the trash, and since when it has been there. What is held stays. */
export function TrashNote({ asset: { trashedAt, hold } }: { asset: Asset }) {
  const t = useTranslations('tile')
  const format = useFormatter()
  const days = useTrashDays()
  if (!trashedAt) return null
  const since = new Date(trashedAt)
  const deleted = t('deleted', { day: format.dateTime(since, { day: 'numeric', month: 'short' }) })
  const left = days === null || hold ? null : Math.ceil((since.getTime() - Date.now()) / day + days)
  const note = left === null ? deleted : `${t('daysLeft', { left: Math.max(0, left) })} · ${deleted}`
  return (
    <span className="trash-note" title={note}>
      {note}
    </span>
  )
}
