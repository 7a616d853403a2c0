import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useTrashDays } from '../library/use-trash-days.ts'

const day = 86_400_000

/** How long it stays in the trash, since when it has been there, and what it was merged into. What is held stays. */
export function TrashNote({
  asset: { trashedAt, hold },
  mergedInto,
}: {
  asset: Asset
  mergedInto: string | undefined
}) {
  const t = useTranslations('tile')
  const format = useFormatter()
  const days = useTrashDays()
  if (!trashedAt) return null
  const since = new Date(trashedAt)
  const isToday = since.toDateString() === new Date().toDateString()
  const deleted = isToday
    ? t('deletedToday', { time: format.dateTime(since, { timeStyle: 'short' }) })
    : t('deleted', { day: format.dateTime(since, { day: 'numeric', month: 'short' }) })
  const exactly = t('deleted', { day: format.dateTime(since, { dateStyle: 'medium', timeStyle: 'short' }) })
  const left = days === null || hold ? null : Math.ceil((since.getTime() - Date.now()) / day + days)
  const merged = mergedInto === undefined ? [] : [t('mergedInto', { title: mergedInto })]
  const stays = left === null ? [] : [t('daysLeft', { left: Math.max(0, left) })]
  // It was merged when it was deleted: both dates are one. A tile is narrow, and what is at the end may be cut.
  const note = (merged.length ? [...merged, ...stays] : [...stays, deleted]).join(' · ')
  return (
    <span className="trash-note" title={[...merged, ...stays, exactly].join(' · ')}>
      {note}
    </span>
  )
}
