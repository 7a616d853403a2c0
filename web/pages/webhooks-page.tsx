import { Button } from '@mantine/core'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Webhook } from '../../contract/webhooks.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { LogDialog } from '../webhooks/log-dialog.tsx'
import { ReplayDialog } from '../webhooks/replay-dialog.tsx'
import { RotateDialog } from '../webhooks/rotate-dialog.tsx'
import { WebhookCard } from '../webhooks/webhook-card.tsx'
import { WebhookDialog } from '../webhooks/webhook-dialog.tsx'
import { useDeleteWebhook, useWebhooks } from '../webhooks/webhooks.ts'
import { AdminFrame } from './admin-frame.tsx'
import '../ui/cards.css'

type Dialog =
  | { kind: 'edit'; webhook?: Webhook }
  | { kind: 'log' | 'replay' | 'rotate' | 'delete'; webhook: Webhook }

export function WebhooksPage() {
  const t = useTranslations('webhooks')
  const webhooks = useWebhooks()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const isEmpty = webhooks.data?.length === 0
  const latest = (webhook: Webhook) =>
    webhooks.data?.find(({ webhookId }) => webhookId === webhook.webhookId) ?? webhook
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={() => setDialog({ kind: 'edit' })}>
      {t('create')}
    </Button>
  )
  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="webhooks:write" create={!isEmpty && create} admin>
      <LoadState query={webhooks} />
      {isEmpty && (
        <Nothing icon={<WebhookIcon size={28} />} title={t('emptyTitle')} text={t('emptyText')}>
          {create}
        </Nothing>
      )}
      {webhooks.data && !isEmpty && (
        <ul className="cards">
          {webhooks.data.map((webhook) => (
            <WebhookCard
              key={webhook.webhookId}
              webhook={webhook}
              onEdit={() => setDialog({ kind: 'edit', webhook })}
              onLog={() => setDialog({ kind: 'log', webhook })}
              onReplay={() => setDialog({ kind: 'replay', webhook })}
              onRotate={() => setDialog({ kind: 'rotate', webhook })}
              onDelete={() => setDialog({ kind: 'delete', webhook })}
            />
          ))}
        </ul>
      )}
      {dialog?.kind === 'edit' && <WebhookDialog webhook={dialog.webhook} onClose={close} />}
      {dialog?.kind === 'log' && <LogDialog webhook={latest(dialog.webhook)} onClose={close} />}
      {dialog?.kind === 'rotate' && <RotateDialog webhook={dialog.webhook} onClose={close} />}
      {dialog?.kind === 'replay' && <ReplayDialog webhook={dialog.webhook} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteWebhook webhook={dialog.webhook} onClose={close} />}
    </AdminFrame>
  )
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useTranslations('webhooks')
  return (
    <ConfirmRemoval
      title={t('deleteTitle')}
      text={t('deleteText', { url: webhook.url })}
      button={t('deleteButton')}
      remove={useDeleteWebhook()}
      what={webhook.webhookId}
      removed={t('deleted')}
      onClose={onClose}
    />
  )
}
