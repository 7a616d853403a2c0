import { useTranslations } from 'use-intl'
import { useTrashDays } from '../../library/use-trash-days.ts'

export function TrashHint() {
  const t = useTranslations('library')
  const days = useTrashDays()
  return days === null ? null : <p className="results">{t('trashHint', { days })}</p>
}
