import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Webhook } from '../../contract/webhooks.ts'
import { useEveryClient } from '../clients/clients.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useReplay } from './webhooks.ts'
import '../ui/confirm.css'

/** Sends a client's events again, for a receiver that missed some. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useTranslations('webhooks')
  const common = useTranslations('access')
  const users = useTranslations('access.users')
  const problemText = useProblemText()
  const { data: every = [] } = useEveryClient()
  const clients = every.filter(({ clientId }) => webhook.clientIds?.includes(clientId) ?? true)
  const [chosen, setChosen] = useState<string | null>(null)
  const [from, setFrom] = useState<string | number>(1)
  const [tried, setTried] = useState(false)
  const replay = useReplay(webhook.webhookId)
  const clientId = chosen ?? (clients.length === 1 ? clients[0]!.clientId : null)
  const fromEventId = Number(from)
  const fromIsBad = !Number.isSafeInteger(fromEventId) || fromEventId < 1

  function submit() {
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
    <FormDialog
      title={t('replayTitle')}
      problem={replay.error ? problemText(replay.error) : null}
      act={t('replayButton')}
      busy={replay.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="confirm-text">{t('replayText')}</p>
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
    </FormDialog>
  )
}
