import { MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type EventType, eventTypes as everyEventType } from '../../contract/events.ts'
import { isHttpUrl } from '../../contract/http-url.ts'
import type { Webhook } from '../../contract/webhooks.ts'
import { ChooseClientsOrAll } from '../clients/choose-clients-or-all.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useFormProblems } from '../words/form-problems.ts'
import { useChangeWebhook, useCreateWebhook } from './webhooks.ts'

/** Makes a webhook and shows its secret once, or changes the one given. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose(): void }) {
  const t = useTranslations('webhooks')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const create = useCreateWebhook()
  const change = useChangeWebhook()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [everyClient, setEveryClient] = useState(!webhook || webhook.clientIds === null)
  const [clientIds, setClientIds] = useState(webhook?.clientIds ?? [])
  const [eventTypes, setEventTypes] = useState<EventType[]>(webhook?.eventTypes ?? [])
  const [tried, setTried] = useState(false)
  const { at, general } = useFormProblems(create.error ?? change.error, ['url', 'clientIds'])
  const urlIsBad = !isHttpUrl(url.trim())
  const clientsMissing = !everyClient && clientIds.length === 0

  function submit() {
    setTried(true)
    if (urlIsBad || clientsMissing) return
    const wish = { url: url.trim(), clientIds: everyClient ? null : clientIds, eventTypes }
    if (webhook) change.mutate({ webhookId: webhook.webhookId, ...wish }, { onSuccess: onClose })
    else create.mutate(wish)
  }

  return (
    <FormDialog
      size={520}
      title={create.data ? t('createdTitle') : webhook ? t('editTitle') : t('createTitle')}
      secret={create.data && { text: t('createdText'), secret: create.data.secret }}
      problem={general}
      act={webhook ? words('save') : common('create')}
      busy={create.isPending || change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('url')}
        type="url"
        required
        maxLength={2000}
        autoComplete="off"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={tried && urlIsBad ? t('urlBad') : at.url}
        data-autofocus
      />
      <ChooseClientsOrAll
        allLabel={t('everyClient')}
        all={everyClient}
        onAllChange={setEveryClient}
        label={t('clients')}
        value={clientIds}
        onChange={setClientIds}
        error={tried && clientsMissing ? t('clientsNeeded') : at.clientIds}
      />
      <MultiSelect
        label={t('events')}
        description={t('eventsHint')}
        placeholder={eventTypes.length ? undefined : t('pickEvents')}
        data={[...everyEventType]}
        value={eventTypes}
        onChange={(chosen) => setEventTypes(chosen as EventType[])}
        searchable
        hidePickedOptions
        comboboxProps={{ zIndex: 310 }}
      />
    </FormDialog>
  )
}
