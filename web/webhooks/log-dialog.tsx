import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Webhook, WebhookAttempt } from '../../contract/webhooks.ts'
import { NamedClients } from '../clients/named-clients.tsx'
import { dialogTitle } from '../ui/dialog-title.ts'
import { LoadState } from '../ui/list-notes.tsx'
import { Modal } from '../ui/modal.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { State } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useAttempts, useResend } from './webhooks.ts'
import './log-dialog.css'

/** What was sent to a webhook and what came back; on top what it would not take, to be sent again. */
export function LogDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useTranslations('webhooks')
  const [failed, setFailed] = useState(false)
  const attempts = useAttempts(webhook.webhookId, failed)
  const shown = attempts.data?.pages.flatMap((page) => page.attempts)
  return (
    <Modal opened onClose={onClose} size={680} title={t('logTitle')} styles={dialogTitle}>
      <p className="dialog-text sent-address">{t('logLead', { url: webhook.url })}</p>
      <SetAside webhook={webhook} />
      <SegmentedControl
        aria-label={t('logTitle')}
        value={failed ? 'failed' : 'all'}
        onChange={(value) => setFailed(value === 'failed')}
        data={[
          { value: 'all', label: t('logAll') },
          { value: 'failed', label: t('logFailed') },
        ]}
      />
      <LoadState query={attempts} />
      {shown?.length === 0 && <p className="dialog-hint">{failed ? t('logNoneFailed') : t('logEmpty')}</p>}
      {shown && shown.length > 0 && (
        <ul className="sent" aria-label={t('logTitle')}>
          {shown.map((attempt) => (
            <Attempt key={attempt.attemptId} attempt={attempt} />
          ))}
        </ul>
      )}
      <ShowMore list={attempts} />
    </Modal>
  )
}

function SetAside({ webhook: { webhookId, setAside, setAsideCount } }: { webhook: Webhook }) {
  const t = useTranslations('webhooks')
  const outbound = useOutboundText()
  const problemText = useProblemText()
  const resend = useResend(webhookId)
  if (setAsideCount === 0) return null

  const again = (clientId: string, eventId: number) =>
    resend.mutate(
      { clientId, eventId },
      {
        onSuccess: ({ ok, error, reason }) =>
          ok
            ? toast({ text: t('resent') })
            : toast({ text: t('resendFailed', { reason: error ? outbound(error, reason) : '' }), bad: true }),
        onError: (error) => toast({ text: problemText(error), bad: true }),
      },
    )

  return (
    <section className="sent-aside">
      <h3>{t('setAsideTitle')}</h3>
      <p>{t('setAsideText')}</p>
      <ul className="sent" aria-label={t('setAsideTitle')}>
        {setAside.map(({ clientId, eventId, error, reason }) => (
          <li key={`${clientId} ${eventId}`}>
            <div className="sent-words">
              <p>
                <NamedClients clientIds={[clientId]} /> · {t('eventNumber', { number: String(eventId) })}
              </p>
              <p className="sent-more">{outbound(error, reason)}</p>
            </div>
            <Button
              variant="default"
              size="xs"
              loading={resend.isPending && resend.variables.eventId === eventId}
              aria-label={t('resendOf', { number: String(eventId) })}
              onClick={() => again(clientId, eventId)}
            >
              {t('resend')}
            </Button>
          </li>
        ))}
      </ul>
      {setAsideCount > setAside.length && (
        <p>{t('setAsideMore', { count: setAsideCount - setAside.length })}</p>
      )}
    </section>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const t = useTranslations('webhooks')
  const outbound = useOutboundText()
  const format = useFormatter()
  const { clientId, eventId, type, status, error, reason, answer, attemptedAt, milliseconds } = attempt
  return (
    <li>
      <div className="sent-words">
        <p>
          <code>{type}</code> ·{' '}
          {clientId ? (
            <>
              <NamedClients clientIds={[clientId]} /> · {t('eventNumber', { number: String(eventId) })}
            </>
          ) : (
            t('aTest')
          )}
        </p>
        <p className="sent-more">
          {format.dateTime(new Date(attemptedAt), { dateStyle: 'medium', timeStyle: 'medium' })} ·{' '}
          {t('took', { milliseconds: format.number(milliseconds) })}
        </p>
        {error && <p className="sent-more">{outbound(error, reason)}</p>}
        {answer && <p className="sent-more sent-answer">{t('said', { answer })}</p>}
      </div>
      <State tone={error ? 'bad' : 'good'}>
        {status === null ? t('noAnswer') : t('status', { status: String(status) })}
      </State>
    </li>
  )
}
