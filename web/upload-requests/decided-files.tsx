import { useTranslations } from 'use-intl'
import './upload-requests.css'

const mostNamed = 5

/** Which files are accepted or declined, by their names. */
export function DecidedFiles({ names }: { names: string[] }) {
  const t = useTranslations('uploadRequests')
  const named = names.slice(0, mostNamed)
  return (
    <p className="decided-files">
      {t('decided', { names: named.join(', '), more: names.length - named.length })}
    </p>
  )
}
