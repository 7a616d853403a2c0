import { ActionIcon, Button } from '@mantine/core'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ApiKey } from '../../contract/access.ts'
import { useApiKeys, useDeleteApiKey } from '../access/access.ts'
import { KeyDialog } from '../access/key-dialog.tsx'
import { NamedClients } from '../clients/named-clients.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { LoadFailed, LoadingRows, Nothing } from '../ui/list-notes.tsx'
import { toast } from '../ui/toast.tsx'
import { AdminFrame } from './admin-frame.tsx'

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
      {apiKeys.isError && <LoadFailed error={apiKeys.error} onRetry={apiKeys.refetch} />}
      {apiKeys.isPending && <LoadingRows />}
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
    <table className="access-table">
      <thead>
        <tr>
          <th>{t('name')}</th>
          <th>{t('role')}</th>
          <th>{t('clients')}</th>
          <th>{t('created')}</th>
          <th>{t('lastUsed')}</th>
          <th>
            <span className="unseen">{t('deleteButton')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  )
}

function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const t = useTranslations('access.keys')
  const remove = useDeleteApiKey()
  const { keyId, name } = apiKey
  return (
    <Confirm
      title={t('deleteTitle', { name })}
      text={t('deleteText')}
      button={t('deleteButton')}
      error={remove.error}
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(keyId, {
          onSuccess: () => {
            toast({ text: t('deleted', { name }) })
            onClose()
          },
        })
      }
    />
  )
}
