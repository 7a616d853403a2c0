import { useTranslations } from 'use-intl'
import { useEveryClient } from './clients.ts'

const most = 2

/** Clients by name: the first few, and how many more. Null means all there are. */
export function NamedClients({ clientIds }: { clientIds: string[] | null }) {
  const t = useTranslations('access')
  const { data: clients } = useEveryClient()
  if (clientIds === null) return <span>{t('allClients')}</span>
  const names = (clients ?? []).filter(({ clientId }) => clientIds.includes(clientId)).map(({ name }) => name)
  if (names.length === 0) return <span>{t('clientCount', { count: clientIds.length })}</span>
  const more = names.length - most
  return (
    <span title={names.join(', ')}>
      {names.slice(0, most).join(', ')}
      {more > 0 && ` +${more}`}
    </span>
  )
}
