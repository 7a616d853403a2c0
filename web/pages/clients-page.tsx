import { Button, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { Building2, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { ClientDialog } from '../clients/client-dialog.tsx'
import { useFoundClients, useRecentClients } from '../clients/clients.ts'
import { recentClients } from '../clients/recent-clients.ts'
import { StorageUsed } from '../clients/storage-used.tsx'
import { useCan, useMe } from '../session.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { AdminFrame } from './admin-frame.tsx'

/** Where operators choose whose library to open. */
export function ClientsPage() {
  const t = useTranslations('access.clients')
  const can = useCan()
  const [q, setQ] = useState('')
  const [creating, setCreating] = useState(false)
  const [asked] = useDebouncedValue(q.trim(), 150)
  const found = useFoundClients(asked)
  const recent = useRecentClients()
  const open = useOpen()
  const clients = found.data?.pages.flatMap((page) => page.clients)
  const create = can('clients:write') && (
    <Button leftSection={<Plus size={16} />} onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  )
  const field = useRef<HTMLInputElement>(null)
  function clear() {
    setQ('')
    field.current?.focus()
  }
  const isNew = clients?.length === 0 && !asked

  function openFirst(event: KeyboardEvent) {
    const first = clients?.[0]
    if (event.key === 'Enter' && q.trim() && asked === q.trim() && first) open(first)
  }

  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="clients:read" create={!isNew && create}>
      {!isNew && (
        <TextInput
          ref={field}
          aria-label={t('search')}
          placeholder={t('search')}
          size="md"
          leftSection={<Search size={18} />}
          rightSection={q && <CloseButton aria-label={t('clear')} onClick={clear} />}
          value={q}
          onChange={(event) => setQ(event.currentTarget.value)}
          onKeyDown={openFirst}
          autoFocus
        />
      )}
      <p className="unseen" aria-live="polite">
        {asked && clients ? t('found', { count: clients.length }) : ''}
      </p>
      <LoadState query={found} />
      {!q && recent.length > 0 && (clients?.length ?? 0) > 4 && (
        <Cards heading={t('recent')} clients={recent} />
      )}
      {clients && clients.length > 0 && <Cards heading={q ? '' : t('all')} clients={clients} />}
      {clients?.length === 0 && asked && (
        <Nothing icon={<Search size={28} />} title={t('noMatchTitle', { q: asked })} text={t('noMatchText')}>
          <Button variant="default" onClick={clear}>
            {t('clear')}
          </Button>
        </Nothing>
      )}
      {isNew &&
        (create ? (
          <Nothing icon={<Building2 size={28} />} title={t('emptyTitle')} text={t('emptyText')}>
            {create}
          </Nothing>
        ) : (
          <Nothing icon={<Building2 size={28} />} title={t('noneTitle')} text={t('noneText')} />
        ))}
      <ShowMore list={found} />
      {creating && <ClientDialog onClose={() => setCreating(false)} onCreated={open} />}
    </AdminFrame>
  )
}

function Cards({ heading, clients }: { heading: string; clients: Client[] }) {
  const remember = useRemember()
  return (
    <section className="client-section">
      {heading && <h3>{heading}</h3>}
      <ul className="client-cards">
        {clients.map((client) => (
          <li key={client.clientId}>
            <Link
              className="client-card"
              to="/clients/$clientId/assets"
              params={{ clientId: client.clientId }}
              onClick={() => remember(client)}
            >
              <span className="client-mark" aria-hidden data-hue={hueOf(client.name)}>
                {[...client.name][0]?.toUpperCase()}
              </span>
              <span className="client-words">
                <strong>{client.name}</strong>
                <StorageUsed client={client} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useRemember() {
  const me = useMe()
  return ({ clientId }: Client) => me && recentClients(me.id).remember(clientId)
}

function useOpen() {
  const navigate = useNavigate()
  const remember = useRemember()
  return (client: Client) => {
    remember(client)
    navigate({ to: '/clients/$clientId/assets', params: { clientId: client.clientId } })
  }
}

/** One of four colours, always the same for the same name. */
const hueOf = (name: string) => [...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % 4
