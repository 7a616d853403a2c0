import { ActionIcon, Button } from '@mantine/core'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ApiKey } from '../../contract/access.ts'
import { useApiKeys, useDeleteApiKey } from '../access/access.ts'
import { KeyDialog } from '../access/key-dialog.tsx'
import { NamedClients } from '../clients/named-clients.tsx'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { AdminFrame } from './admin-frame.tsx'
import { AdminTable } from './admin-table.tsx'

export function KeysPage() {
  const t = useTranslations('access.keys')
  const apiKeys = useApiKeys()
  const [creating, setCreating] = useState(false)
  const [leaving, setLeaving] = useState<ApiKey | null>(null)
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  )
  const isEmpty = apiKeys.data?.length === 0
  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="keys:write" create={!isEmpty && create} admin>
      <LoadState query={apiKeys} />
      {isEmpty && (
        <Nothing icon={<KeyRound size={28} />} title={t('emptyTitle')} text={t('emptyText')}>
          {create}
        </Nothing>
      )}
      {apiKeys.data && !isEmpty && <KeyTable apiKeys={apiKeys.data} onDelete={setLeaving} />}
      {creating && <KeyDialog onClose={() => setCreating(false)} />}
      {leaving && <DeleteKey apiKey={leaving} onClose={() => setLeaving(null)} />}
    </AdminFrame>
  )
}

function KeyTable({ apiKeys, onDelete }: { apiKeys: ApiKey[]; onDelete(apiKey: ApiKey): void }) {
  const t = useTranslations('access.keys')
  const common = useTranslations('access')
  const format = useFormatter()
  const day = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium' })
  return (
    <AdminTable
      heads={[t('name'), t('role'), t('clients'), t('created'), t('lastUsed')]}
      acts={t('deleteButton')}
    >
      {apiKeys.map((apiKey) => (
        <tr key={apiKey.keyId}>
          <td data-main>
            <strong>{apiKey.name}</strong>
          </td>
          <td data-label={t('role')}>
            <span className="access-role">{t(`roles.${apiKey.role}`)}</span>
          </td>
          <td data-label={t('clients')}>
            <NamedClients clientIds={apiKey.clientIds} />
          </td>
          <td data-label={t('created')}>{day(apiKey.createdAt)}</td>
          <td data-label={t('lastUsed')}>
            {apiKey.lastUsedAt
              ? format.relativeTime(new Date(apiKey.lastUsedAt), new Date())
              : common('never')}
          </td>
          <td data-act>
            <ActionIcon
              aria-label={t('delete', { name: apiKey.name })}
              onClick={() => onDelete(apiKey)}
              color="red"
            >
              <Trash2 size={16} />
            </ActionIcon>
          </td>
        </tr>
      ))}
    </AdminTable>
  )
}

function DeleteKey({ apiKey: { keyId, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const t = useTranslations('access.keys')
  return (
    <ConfirmRemoval
      title={t('deleteTitle', { name })}
      text={t('deleteText')}
      button={t('deleteButton')}
      remove={useDeleteApiKey()}
      what={keyId}
      removed={t('deleted', { name })}
      onClose={onClose}
    />
  )
}
