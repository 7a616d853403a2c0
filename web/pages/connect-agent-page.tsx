import { Alert } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { requestIn, useConsentQuestion } from '../access/agents.ts'
import { ConsentForm } from '../access/consent-form.tsx'
import { LoginFrame } from '../access/login-frame.tsx'
import { useMe } from '../session.ts'
import { useProblemText } from '../words/problem-text.ts'

const route = getRouteApi('/inside/connect-agent')

/** Where a program sends people to be let in. It is left only by what the person says. */
export function ConnectAgentPage() {
  const t = useTranslations('access.consent')
  const app = useTranslations('app')
  const problemText = useProblemText()
  const me = useMe()
  const { request: wrapped } = route.useSearch()
  const request = useMemo(() => requestIn(wrapped), [wrapped])
  const question = useConsentQuestion(request)
  const [isLeaving, setLeaving] = useState(false)

  function leave(redirectTo: string) {
    setLeaving(true)
    location.assign(redirectTo)
  }

  if (question.error)
    return (
      <LoginFrame title={t('refused')}>
        <Alert color="red" variant="light" icon={<CircleAlert size={18} />} role="alert" my={16}>
          {problemText(question.error)}
        </Alert>
        <Link to="/">{app('goHome')}</Link>
      </LoginFrame>
    )
  if (!question.data || !me) return null
  const { agent } = question.data
  if (isLeaving)
    return (
      <LoginFrame title={t('leaving', { host: agent.redirectHost })} lead={t('leavingText')}>
        {null}
      </LoginFrame>
    )
  return (
    <LoginFrame title={t('title', { name: agent.name })} lead={t('lead', { person: me.name })}>
      <ConsentForm request={request} question={question.data} onAnswered={leave} />
    </LoginFrame>
  )
}
