import { useTranslations } from 'use-intl'
import './skip-link.css'

/** The first focus stop of every page: skips the bar. */
export function SkipLink() {
  const t = useTranslations('app')
  return (
    <button
      type="button"
      className="skip-link"
      onClick={() => {
        const content =
          document.querySelector<HTMLElement>('main [role=grid]') ?? document.querySelector('main')
        if (!content) return
        if (!content.hasAttribute('tabindex')) content.tabIndex = -1
        content.focus()
      }}
    >
      {t('skip')}
    </button>
  )
}
