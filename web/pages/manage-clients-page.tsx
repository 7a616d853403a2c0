import { ActionIcon, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { Building2, Pencil, Plus, Search, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { ClientDialog } from '../clients/client-dialog.tsx'
import { useClientRemovals, useFoundClients } from '../clients/clients.ts'
import { RemovedClients } from '../clients/removed-clients.tsx'
import { StorageUsed } from '../clients/storage-used.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { partOf } from '../ui/part.ts'
import { SearchBox } from '../ui/search-box.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { toast } from '../ui/toast.tsx'
import { AdminFrame } from './admin-frame.tsx'
import { AdminTable } from './admin-table.tsx'

const RemoveClientDialog = partOf(() => import('../clients/remove-client-dialog.tsx'), 'RemoveClientDialog')

export function ManageClientsPage() {
  const t = useTranslations('access.manage')
  const chooser = useTranslations('access.clients')
  const common = useTranslations('access')
  const gone = useTranslations('access.removals')
  const format = useFormatter()
  const [q, setQ] = useState('')
  const [asked] = useDebouncedValue(q.trim(), 150)
  const [dialog, setDialog] = useState<{ client?: Client } | null>(null)
  const [removed, setRemoved] = useState<Client | null>(null)
  const found = useFoundClients(asked)
  const clients = found.data?.pages.flatMap((page) => page.clients)
  const { data: removals } = useClientRemovals()
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={() => setDialog({})}>
      {chooser('create')}
    </Button>
  )

  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="clients:write" create={create} admin>
      <SearchBox label={chooser('search')} value={q} onChange={setQ} />
      <LoadState query={found} />
      {clients?.length === 0 &&
        (asked ? (
          <Nothing
            icon={<Search size={28} />}
            title={chooser('noMatchTitle', { q: asked })}
            text={chooser('noMatchText')}
          />
        ) : (
          <Nothing icon={<Building2 size={28} />} title={chooser('emptyTitle')} text={chooser('emptyText')} />
        ))}
      {clients && clients.length > 0 && (
        <AdminTable heads={[t('name'), t('storage'), t('added')]} acts={common('edit', { name: '' })}>
          {clients.map((client) => (
            <tr key={client.clientId}>
              <td data-main>
                <Link
                  className="access-link"
                  to="/clients/$clientId/assets"
                  params={{ clientId: client.clientId }}
                >
                  {client.name}
                </Link>
              </td>
              <td data-wide>
                <StorageUsed client={client} />
              </td>
              <td data-label={t('added')}>
                {format.dateTime(new Date(client.createdAt), { dateStyle: 'medium' })}
              </td>
              <td data-act>
                <ActionIcon
                  aria-label={common('edit', { name: client.name })}
                  onClick={() => setDialog({ client })}
                >
                  <Pencil size={16} />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('remove', { name: client.name })}
                  onClick={() => setRemoved(client)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
      <ShowMore list={found} />
      {removals && removals.length > 0 && (
        <section aria-labelledby="removed-clients">
          <h3 id="removed-clients">{gone('title')}</h3>
          <AdminTable heads={[gone('client'), gone('what'), gone('when')]}>
            <RemovedClients removals={removals} />
          </AdminTable>
        </section>
      )}
      {removed && (
        <Suspense>
          <RemoveClientDialog client={removed} onClose={() => setRemoved(null)} />
        </Suspense>
      )}
      {dialog && (
        <ClientDialog
          client={dialog.client}
          onClose={() => setDialog(null)}
          onCreated={({ name }) => toast({ text: t('created', { name }) })}
        />
      )}
    </AdminFrame>
  )
}
