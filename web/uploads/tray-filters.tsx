import { useTranslations } from 'use-intl'
import { isUnderWay, needsAttention, type Totals, type Upload } from './upload.ts'

export const filters = {
  all: () => true,
  underWay: isUnderWay,
  attention: needsAttention,
  done: ({ state }: Upload) => state === 'done' || state === 'undescribed',
} satisfies Record<string, (upload: Upload) => boolean>
export type Filter = keyof typeof filters

export function Filters({
  chosen,
  totals,
  onChoose,
}: {
  chosen: Filter
  totals: Totals
  onChoose(filter: Filter): void
}) {
  const t = useTranslations('uploads')
  const counts: Record<Filter, number> = { ...totals, all: totals.count }
  return (
    <fieldset className="upload-filters">
      <legend className="unseen">{t('filter')}</legend>
      {(Object.keys(filters) as Filter[]).map((filter) => (
        <button key={filter} type="button" aria-pressed={filter === chosen} onClick={() => onChoose(filter)}>
          {t(`filters.${filter}`, { count: counts[filter] })}
        </button>
      ))}
    </fieldset>
  )
}
