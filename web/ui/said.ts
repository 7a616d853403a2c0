import { useTranslations } from 'use-intl'
import { Problem } from '../api.ts'

/** What a failure tells the person. */
export function useSaid() {
  const t = useTranslations('problems')
  return (error: unknown): string => {
    if (!(error instanceof Problem)) return t('unknown')
    return error.status === 0 ? t('unreachable') : error.detail || t('unknown')
  }
}
