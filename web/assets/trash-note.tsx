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
  const deleted = t('deleted', { day: format.dateTime(since, { day: 'numeric', month: 'short' }) })
  const left = days === null || hold ? null : Math.ceil((since.getTime() - Date.now()) / day + days)
  const merged = mergedInto === undefined ? [] : [t('mergedInto', { title: mergedInto })]
  const stays = left === null ? [] : [t('daysLeft', { left: Math.max(0, left) })]
  // It was merged when it was deleted: both dates are one, and a tile is narrow.
  const note = [...stays, ...(merged.length ? merged : [deleted])].join(' · ')
  return (
    <span className="trash-note" title={[...stays, ...merged, deleted].join(' · ')}>
      {note}
    </span>
  )
}
