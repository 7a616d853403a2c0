import { Anchor } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useMe } from '../session.ts'
import { sessionExpiry } from '../session-expiry.ts'
import { Modal } from '../ui/modal.tsx'
import { LoginForm } from './login-form.tsx'
import { SignOnButtons } from './sign-on-buttons.tsx'
import './login.css'

/**
 * Stands over the page while the session has ended. Nothing below is taken away, and every request that met the
 * end repeats itself after the login.
 */
export function SignInAgain() {
  const t = useTranslations('access')
  const me = useMe()
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      size={400}
      title={t('expiredTitle')}
      styles={{ title: { fontSize: 18, fontWeight: 620 } }}
    >
      <p className="login-again">{t('expiredText')}</p>
      <LoginForm email={me?.email ?? undefined} onSignedIn={() => sessionExpiry.signedIn()} />
      <SignOnButtons to={here()} />
      <p className="login-forgot">
        <Anchor href="/app/login" size="sm">
          {t('somebodyElse')}
        </Anchor>
      </p>
    </Modal>
  )
}

const here = () => window.location.pathname.replace(/^\/app/, '') + window.location.search
