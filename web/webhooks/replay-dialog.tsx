import { Alert, Button, Group, Modal, NumberInput, Select, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Webhook } from '../../contract/webhooks.ts'
import { useEveryClient } from '../access/access.ts'
import { useSaid } from '../ui/said.ts'
import { toast } from '../ui/toast.tsx'
import { useReplay } from './webhooks.ts'

/** Sends a client's events again, for a receiver that missed some. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useTranslations('webhooks')
  const common = useTranslations('access')
  const users = useTranslations('access.users')
  const words = useTranslations('app')
  const said = useSaid()
  const { data: every = [] } = useEveryClient()
  const clients = every.filter(({ clientId }) => webhook.clientIds?.includes(clientId) ?? true)
  const [chosen, setChosen] = useState<string | null>(null)
  const [from, setFrom] = useState<string | number>(1)
  const [tried, setTried] = useState(false)
  const replay = useReplay(webhook.webhookId)
  const clientId = chosen ?? (clients.length === 1 ? clients[0]!.clientId : null)
  const fromEventId = Number(from)
  const fromIsBad = !Number.isSafeInteger(fromEventId) || fromEventId < 1

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!clientId || fromIsBad) return
    replay.mutate(
      { clientId, fromEventId },
      {
        onSuccess: () => {
          toast({ text: t('replayed') })
          onClose()
        },
      },
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('replayTitle')}
      styles={{ title: { fontSize: 17, fontWeight: 620 } }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={14}>
          {replay.error && (
            <Alert color="red" variant="light" role="alert">
              {said(replay.error)}
            </Alert>
          )}
          <p className="delivery-text">{t('replayText')}</p>
          <Select
            label={t('client')}
            placeholder={users('pickClient')}
            data={clients.map((one) => ({ value: one.clientId, label: one.name }))}
            value={clientId}
            onChange={setChosen}
            error={tried && !clientId ? common('required') : undefined}
            searchable
            nothingFoundMessage={users('noClient')}
            comboboxProps={{ zIndex: 310 }}
          />
          <NumberInput
            label={t('from')}
            description={t('fromHint')}
            min={1}
            allowDecimal={false}
            hideControls
            value={from}
            onChange={setFrom}
            error={tried && fromIsBad ? common('required') : undefined}
          />
          <Group justify="flex-end" gap={8} mt={6}>
            <Button variant="default" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button type="submit" loading={replay.isPending}>
              {t('replayButton')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
