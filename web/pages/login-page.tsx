import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import { useSignInOptions } from '../access/access.ts'
import { LoginForm } from '../access/login-form.tsx'
import { LoginFrame } from '../access/login-frame.tsx'
import { PasskeyButton } from '../access/passkey-button.tsx'
import { canUsePasskeys } from '../access/passkeys.ts'
import { homeOf } from '../session.ts'

const route = getRouteApi('/login')

export function LoginPage() {
  const t = useTranslations('access')
  const router = useRouter()
  const { to } = route.useSearch()
  const options = useSignInOptions()

  function enter(me: Me) {
    // The address may be left from an operator who used this machine.
    const isOpen =
      !me.clientId || to?.startsWith('/portal/') || to?.startsWith(`/clients/${me.clientId}/assets`)
    const wanted = to && isOpen ? to : homeOf(me)
    router.navigate({ to: wanted, replace: true })
  }

  return (
    <LoginFrame title={t('welcome')} lead={t('welcomeText')}>
      <LoginForm onSignedIn={enter} />
      {canUsePasskeys() && <PasskeyButton onSignedIn={enter} />}
      <p className="login-forgot">
        {options.data?.mail ? <Link to="/forgot-password">{t('forgotLink')}</Link> : t('forgot')}
      </p>
    </LoginFrame>
  )
}
