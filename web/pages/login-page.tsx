import { Alert } from '@mantine/core'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import { useSignInOptions } from '../access/access.ts'
import { LoginForm } from '../access/login-form.tsx'
import { LoginFrame } from '../access/login-frame.tsx'
import { PasskeyButton } from '../access/passkey-button.tsx'
import { canUsePasskeys } from '../access/passkeys.ts'
import { SecondStepForm } from '../access/second-step.tsx'
import { SignOnButtons } from '../access/sign-on-buttons.tsx'
import { takeStep } from '../access/sign-on-return.ts'
import { Problem } from '../api.ts'
import { doorOf } from '../session.ts'
import { useProblemText } from '../words/problem-text.ts'

const route = getRouteApi('/login')

export function LoginPage() {
  const t = useTranslations('access')
  const router = useRouter()
  const { to } = route.useSearch()
  const options = useSignInOptions()
  const [carried, setCarried] = useState(takeStep)

  const enter = (me: Me) => router.navigate({ to: doorOf(me, to), replace: true })

  if (carried)
    return (
      <LoginFrame title={t('welcome')} lead={t('welcomeText')}>
        <SecondStepForm begun={carried} onSignedIn={enter} onBack={() => setCarried(null)} />
      </LoginFrame>
    )
  return (
    <LoginFrame title={t('welcome')} lead={t('welcomeText')}>
      <Refused />
      <LoginForm onSignedIn={enter} />
      {canUsePasskeys() && <PasskeyButton onSignedIn={enter} />}
      <SignOnButtons to={to} />
      <p className="login-forgot">
        {options.data?.mail ? <Link to="/forgot-password">{t('forgotLink')}</Link> : t('forgot')}
      </p>
    </LoginFrame>
  )
}

/** Why the provider's word, or the lack of it, did not open the door. */
function Refused() {
  const { refused, provider: id } = route.useSearch()
  const { data } = useSignInOptions()
  const problemText = useProblemText()
  if (!refused || !data) return null
  const provider = data.providers.find((one) => one.id === id)?.name ?? ''
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} />} className="access-alert" mb={16}>
      {problemText(new Problem({ code: refused, status: 403, params: { provider } }))}
    </Alert>
  )
}
