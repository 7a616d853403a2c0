import { useTranslations } from 'use-intl'
import { content } from './focus.ts'
import './skip-link.css'

/** The first focus stop of every page: skips the bar. */
export function SkipLink() {
  const t = useTranslations('app')
  return (
    <button type="button" className="skip-link" onClick={() => content()?.focus()}>
      {t('skip')}
    </button>
  )
}
