import { useLocale, useTranslations } from 'use-intl'
import type { ClientRemoval } from '../../contract/clients.ts'
import { State } from '../ui/state.tsx'
import { fileSize } from '../words/file-size.ts'

/** What went with a client, and whether all of it has. */
export function RemovalReport({
  removal: { rows, objects, objectBytes, finishedAt },
}: {
  removal: ClientRemoval
}) {
  const t = useTranslations('access.removals')
  const locale = useLocale()
  const counted = (table: string) => rows[table] ?? 0
  return (
    <>
      <State tone={finishedAt ? 'good' : 'warn'}>{t(finishedAt ? 'finished' : 'underWay')}</State>
      <span className="access-sub">
        {t('gone', {
          assets: counted('assets'),
          versions: counted('asset_versions'),
          deliveries: counted('deliveries'),
          links: counted('share_links'),
          people: counted('users'),
          keys: counted('api_keys'),
        })}
      </span>
      <span className="access-sub">
        {t('files', { count: objects, size: fileSize(objectBytes, locale) })}
      </span>
    </>
  )
}
