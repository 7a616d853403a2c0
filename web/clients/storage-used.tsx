import { useLocale, useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { fileSize, sizeLimit } from '../words/file-size.ts'
import './clients.css'

/** How full a library is, as words and as a bar: a meter would be read aloud as a bare number in the name of a link. */
export function StorageUsed({ client: { storedBytes, quotaBytes } }: { client: Client }) {
  const t = useTranslations('access.clients')
  const locale = useLocale()
  const percent = quotaBytes > 0 ? Math.min(100, (100 * storedBytes) / quotaBytes) : 100
  const words = t('used', { used: fileSize(storedBytes, locale), quota: sizeLimit(quotaBytes, locale) })
  return (
    <span className="storage-used" data-full={percent >= 90}>
      <span>{words}</span>
      <span className="storage-bar" aria-hidden>
        <span style={{ width: `${storedBytes > 0 ? Math.max(2, percent) : 0}%` }} />
      </span>
    </span>
  )
}
