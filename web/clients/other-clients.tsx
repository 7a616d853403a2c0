import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '../session.ts'
import { useFoundClients, useRecentClients } from './clients.ts'
import { recentClients } from './recent-clients.ts'

/** Those that were opened last, and those that are found by name. */
export function OtherClients({ clientId, onChosen }: { clientId: string; onChosen(): void }) {
  const t = useTranslations('access.clients')
  const me = useMe()!
  const [q, setQ] = useState('')
  const [asked] = useDebouncedValue(q.trim(), 150)
  const found = useFoundClients(asked).data?.pages[0]?.clients
  const recent = useRecentClients()
  const latest = asked ? [] : recent.map((client) => client.clientId)
  const clients = [
    ...(asked ? [] : recent),
    ...(found ?? []).filter((each) => !latest.includes(each.clientId)),
  ]
    .filter((each) => each.clientId !== clientId)
    .slice(0, 12)
  return (
    <>
      <TextInput
        data-autofocus
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<Search size={16} />}
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      <ul>
        {clients.map((client) => (
          <li key={client.clientId}>
            <Link
              to="."
              params={{ clientId: client.clientId }}
              search={{}}
              onClick={() => {
                recentClients(me.id).remember(client.clientId)
                onChosen()
              }}
            >
              {client.name}
            </Link>
          </li>
        ))}
      </ul>
      {found && clients.length === 0 && <p>{asked ? t('noMatchTitle', { q: asked }) : t('noOther')}</p>}
      <Link to="/clients" className="client-switcher-all">
        {t('all')}
      </Link>
    </>
  )
}
