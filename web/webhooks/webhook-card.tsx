import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import { Ellipsis, KeyRound, List, Pencil, RotateCw, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Webhook } from '../../contract/webhooks.ts'
import { NamedClients } from '../clients/named-clients.tsx'
import { State, type Tone } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { useChoice } from '../ui/use-choice.ts'
import { useOutboundText } from '../words/outbound-text.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useChangeWebhook, useTestWebhook } from './webhooks.ts'

const tones: Record<'on' | 'failing' | 'off', Tone> = { on: 'good', failing: 'bad', off: 'plain' }

/** One webhook: what it sends where, and whether that gets through. */
export function WebhookCard({
  webhook,
  onEdit,
  onLog,
  onReplay,
  onRotate,
  onDelete,
}: {
  webhook: Webhook
  onEdit(): void
  onLog(): void
  onReplay(): void
  onRotate(): void
  onDelete(): void
}) {
  const t = useTranslations('webhooks')
  const outbound = useOutboundText()
  const disabled = useTranslations('outbound.disabled')
  const format = useFormatter()
  const problemText = useProblemText()
  const change = useChangeWebhook()
  const test = useTestWebhook()
  const { webhookId, url, clientIds, eventTypes, isEnabled, failingSince, lastSentAt } = webhook
  const { lastError, lastErrorReason, disabledCode, setAsideCount, previousSecretEndsAt } = webhook
  const when = (time: string) => format.relativeTime(new Date(time), new Date())
  const [isOn, turn] = useChoice(isEnabled, {
    save: (isEnabled) => change.mutateAsync({ webhookId, isEnabled }),
    about: webhookId,
    saved: (isEnabled) => (isEnabled ? t('switchedOn') : t('switchedOff')),
  })
  const state = !isEnabled ? 'off' : failingSince ? 'failing' : 'on'

  const runTest = () =>
    test.mutate(webhookId, {
      onSuccess: ({ ok, status, error, reason }) =>
        ok
          ? toast({ about: webhookId, text: t('testOk', { status: String(status) }) })
          : toast({
              about: webhookId,
              text: t('testFailed', { reason: error ? outbound(error, reason) : '' }),
              bad: true,
            }),
      onError: (error) => toast({ about: webhookId, text: problemText(error), bad: true }),
    })

  return (
    <li className="card" data-off={!isEnabled}>
      <span className="card-icon">
        <WebhookIcon size={20} aria-hidden />
      </span>
      <div className="card-words">
        <h3>{url}</h3>
        <p>
          <NamedClients clientIds={clientIds} /> ·{' '}
          <span title={eventTypes.join(', ')}>
            {eventTypes.length ? t('eventCount', { count: eventTypes.length }) : t('everyEvent')}
          </span>
        </p>
        <p className="card-state">
          <State tone={tones[state]}>{t(`states.${state}`)}</State>
          {failingSince && isEnabled && <span>{t('failingSince', { when: when(failingSince) })}</span>}
          <span>{lastSentAt ? t('lastSent', { when: when(lastSentAt) }) : t('neverSent')}</span>
        </p>
        {setAsideCount > 0 && (
          <p className="card-why">
            {t('setAside', { count: setAsideCount })}{' '}
            <Button
              variant="transparent"
              size="compact-sm"
              onClick={onLog}
              aria-label={t('showLogOf', { url })}
            >
              {t('showLog')}
            </Button>
          </p>
        )}
        {previousSecretEndsAt && (
          <p>
            {t('previousSecret', {
              when: format.dateTime(new Date(previousSecretEndsAt), {
                dateStyle: 'medium',
                timeStyle: 'short',
              }),
            })}
          </p>
        )}
        {!isEnabled && disabledCode && <p className="card-why">{disabled(disabledCode)}</p>}
        {failingSince && lastError && <p className="card-why">{outbound(lastError, lastErrorReason)}</p>}
      </div>
      <div className="card-acts">
        <Switch
          checked={isOn}
          aria-label={t('enabledOf', { url })}
          onChange={(event) => turn(event.currentTarget.checked)}
          mr={8}
        />
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          onClick={runTest}
          aria-label={t('testOf', { url })}
        >
          {t('test')}
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('more', { url })}>
              <Ellipsis size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Pencil size={16} />} onClick={onEdit}>
              {t('edit')}
            </Menu.Item>
            <Menu.Item leftSection={<List size={16} />} onClick={onLog}>
              {t('log')}
            </Menu.Item>
            <Menu.Item leftSection={<RotateCw size={16} />} onClick={onReplay}>
              {t('replay')}
            </Menu.Item>
            <Menu.Item leftSection={<KeyRound size={16} />} onClick={onRotate}>
              {t('rotate')}
            </Menu.Item>
            <Menu.Item leftSection={<Trash2 size={16} />} onClick={onDelete}>
              {t('delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </li>
  )
}
