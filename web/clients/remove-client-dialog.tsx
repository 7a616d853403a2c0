import { Button, Group } from '@mantine/core'
import { useLocale, useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { dialogTitle } from '../ui/dialog-title.ts'
import { Modal } from '../ui/modal.tsx'
import { TypedConfirm } from '../ui/typed-confirm.tsx'
import { fileSize } from '../words/file-size.ts'
import { useClientRemovals, useRemoveClient } from './clients.ts'
import { RemovalReport } from './removal-report.tsx'

/** Removes a client with everything it has, once its name is typed; then says what went. */
export function RemoveClientDialog({ client, onClose }: { client: Client; onClose(): void }) {
  const t = useTranslations('access.manage')
  const locale = useLocale()
  const remove = useRemoveClient()
  const { clientId, name } = client
  if (remove.data) return <Removed name={name} clientId={clientId} onClose={onClose} />
  return (
    <TypedConfirm
      title={t('removeTitle', { name })}
      word={name}
      label={t('removeType', { name })}
      button={t('removeButton')}
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ clientId, confirmName: name })}
      onClose={onClose}
    >
      {t('removeText', { size: fileSize(client.storedBytes, locale) })}
    </TypedConfirm>
  )
}

function Removed({ name, clientId, onClose }: { name: string; clientId: string; onClose(): void }) {
  const t = useTranslations('access.manage')
  const words = useTranslations('app')
  const removal = useClientRemovals().data?.find((each) => each.clientId === clientId)
  return (
    <Modal opened onClose={onClose} title={t('removed', { name })} styles={dialogTitle}>
      {removal && <RemovalReport removal={removal} />}
      <Group justify="flex-end" mt={20}>
        <Button onClick={onClose} data-autofocus>
          {words('close')}
        </Button>
      </Group>
    </Modal>
  )
}
