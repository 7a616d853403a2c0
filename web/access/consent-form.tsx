import { Alert, Button, Checkbox, Group, MultiSelect } from '@mantine/core'
import { BadgeCheck, CircleAlert, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { AgentPermission, AuthorizationRequest, ConsentQuestion } from '../../contract/agent-sign-in.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useAnswerConsent } from './agents.ts'
import './consent.css'

/** Whom a person lets in, for which clients, and for what. */
export function ConsentForm({
  request,
  question,
  onAnswered,
}: {
  request: AuthorizationRequest
  question: ConsentQuestion
  onAnswered(redirectTo: string): void
}) {
  const t = useTranslations('access.consent')
  const problemText = useProblemText()
  const { clients, permissions, asked } = question
  const [clientIds, setClientIds] = useState(clients.length === 1 ? [clients[0]!.clientId] : [])
  const [allowed, setAllowed] = useState<AgentPermission[]>(asked)
  const [tried, setTried] = useState(false)
  const answer = useAnswerConsent()
  const isMissing = clientIds.length === 0

  function say(allow: boolean) {
    setTried(allow)
    if (allow && isMissing) return
    answer.mutate(
      { request, allow, clientIds, permissions: allowed },
      { onSuccess: ({ redirectTo }) => onAnswered(redirectTo) },
    )
  }

  return (
    <div className="consent">
      <WhoAsks {...question.agent} />
      {answer.error ? (
        <Alert color="red" variant="light" icon={<CircleAlert size={18} />} role="alert">
          {problemText(answer.error)}
        </Alert>
      ) : null}
      {clients.length === 1 ? (
        <div className="consent-client">
          <span>{t('clients')}</span>
          <strong>{clients[0]!.name}</strong>
        </div>
      ) : (
        <MultiSelect
          label={t('clients')}
          placeholder={isMissing ? t('pickClients') : undefined}
          data={clients.map(({ clientId, name }) => ({ value: clientId, label: name }))}
          value={clientIds}
          onChange={setClientIds}
          error={tried && isMissing && t('clientsNeeded')}
          searchable
          hidePickedOptions
        />
      )}
      <Checkbox.Group
        label={t('may')}
        value={allowed}
        onChange={(chosen) => setAllowed(permissions.filter((one) => chosen.includes(one)))}
      >
        <div className="consent-permissions">
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={t(`permissions.${permission}`)}
              // Without it there is nothing else to allow.
              disabled={permission === 'assets:read'}
            />
          ))}
        </div>
      </Checkbox.Group>
      <p className="consent-bounds">{t('bounds')}</p>
      <Group grow gap={8}>
        <Button variant="default" disabled={answer.isPending} onClick={() => say(false)}>
          {t('deny')}
        </Button>
        <Button loading={answer.isPending} onClick={() => say(true)}>
          {t('allow')}
        </Button>
      </Group>
    </div>
  )
}

function WhoAsks({ name, host, redirectHost, isOnThisDevice }: ConsentQuestion['agent']) {
  const t = useTranslations('access.consent')
  return (
    <Alert
      color={host ? 'green' : 'yellow'}
      variant="light"
      icon={host ? <BadgeCheck size={18} /> : <ShieldAlert size={18} />}
      className="consent-who"
    >
      <p>{host ? t('verified', { host }) : t('notVerified', { name })}</p>
      <p>{t(isOnThisDevice ? 'staysHere' : 'goesTo', { host: redirectHost })}</p>
    </Alert>
  )
}
