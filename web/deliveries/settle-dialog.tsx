import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Delivery, Settlement } from '../../contract/deliveries.ts'
import { Modal } from '../ui/modal.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useDecideDelivery } from './deliveries.ts'
import '../ui/dialogs.css'

/** The library cannot tell whether it arrived; somebody who looks can. */
export function SettleDialog({
  delivery,
  connectionName: name,
  assetTitle,
  onClose,
}: {
  delivery: Delivery
  connectionName: string
  assetTitle: string
  onClose(): void
}) {
  const t = useTranslations('deliveries')
  const common = useTranslations('access')
  const problemText = useProblemText()
  const outbound = useOutboundText()
  const { lastError, lastErrorReason } = delivery
  const decide = useDecideDelivery(delivery)
  const [remoteId, setRemoteId] = useState('')
  const [remoteUrl, setRemoteUrl] = useState('')
  const [tried, setTried] = useState(false)
  const urlIsBad = remoteUrl.trim() !== '' && !/^https?:\/\/[^\s@]+$/.test(remoteUrl.trim())

  const settle = (settlement: Settlement) =>
    decide.mutate({ act: 'settle', settlement }, { onSuccess: onClose })

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!remoteId.trim() || urlIsBad) return
    settle({ outcome: 'there', remoteId: remoteId.trim(), remoteUrl: remoteUrl.trim() || undefined })
  }

  return (
    <Modal opened onClose={onClose} title={t('settleTitle', { name })} size={480}>
      <form onSubmit={submit} noValidate>
        <Stack gap={14}>
          {decide.error && (
            <Alert color="red" variant="light" role="alert">
              {problemText(decide.error)}
            </Alert>
          )}
          <p className="delivery-text">{t('settleText', { name, title: assetTitle })}</p>
          {lastError && lastErrorReason?.code !== 'cannot-tell' && (
            <p className="delivery-said">{outbound(lastError, lastErrorReason)}</p>
          )}
          <TextInput
            label={t('remoteId')}
            description={t('remoteIdHint', { name })}
            value={remoteId}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => setRemoteId(event.currentTarget.value)}
            error={tried && !remoteId.trim() ? common('required') : undefined}
            data-autofocus
          />
          <TextInput
            label={t('remoteUrl')}
            description={t('optional')}
            type="url"
            value={remoteUrl}
            maxLength={2000}
            onChange={(event) => setRemoteUrl(event.currentTarget.value)}
            error={tried && urlIsBad ? t('badUrl') : undefined}
          />
          <Group justify="flex-end" gap={8} mt={6}>
            <Button
              variant="default"
              disabled={decide.isPending}
              onClick={() => settle({ outcome: 'not-there' })}
            >
              {t('notThere')}
            </Button>
            <Button type="submit" loading={decide.isPending}>
              {t('there')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
