import { ActionIcon, Alert, Button, Group, Modal } from '@mantine/core'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ApiKey } from '../../contract/access.ts'
import { useApiKeys, useDeleteApiKey } from '../access/access.ts'
import { KeyDialog } from '../access/key-dialog.tsx'
import { NamedClients } from '../clients/named-clients.tsx'
import { toast } from '../ui/toast.tsx'
import { useSaid } from '../words/problem-text.ts'
import { AccessPage, LoadFailed, LoadingRows, Nothing } from './admin-frame.tsx'

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
    <AccessPage title={t('title')} lead={t('lead')} needs="keys:write" create={!isEmpty && create} admin>
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
    </AccessPage>
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
  const words = useTranslations('app')
  const said = useSaid()
  const remove = useDeleteApiKey()
  const { keyId, name } = apiKey
  function confirm() {
    remove.mutate(keyId, {
      onSuccess: () => {
        toast({ text: t('deleted', { name }) })
        onClose()
      },
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteTitle', { name })}
      closeButtonProps={{ 'aria-label': words('close') }}
      styles={{ title: { fontSize: 17, fontWeight: 620, overflowWrap: 'anywhere' } }}
    >
      {remove.error && (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {said(remove.error)}
        </Alert>
      )}
      <p className="access-text">{t('deleteText')}</p>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words('cancel')}
        </Button>
        <Button className="access-danger" loading={remove.isPending} onClick={confirm}>
          {t('deleteButton')}
        </Button>
      </Group>
    </Modal>
  )
}
