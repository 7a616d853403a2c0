import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { LoginFrame } from '../access/login-frame.tsx'
import { useForgot } from '../account/account.ts'
import { useProblemText } from '../words/problem-text.ts'

/** Asks for a link by e-mail. It says the same whether there is such a person or not. */
export function ForgotPasswordPage() {
  const t = useTranslations('account')
  const common = useTranslations('access')
  const problemText = useProblemText()
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  const forgot = useForgot()

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (email.trim()) forgot.mutate(email.trim())
  }

  return (
    <LoginFrame title={t('forgotTitle')} lead={forgot.isSuccess ? undefined : t('forgotLead')}>
      {forgot.isSuccess ? (
        <p className="login-lead" role="status">
          {t('forgotSent', { email: email.trim() })}
        </p>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap={16}>
            {forgot.error && (
              <Alert color="red" variant="light" role="alert" className="access-alert">
                {problemText(forgot.error)}
              </Alert>
            )}
            <TextInput
              label={common('email')}
              type="email"
              name="email"
              autoComplete="username"
              size="md"
              maxLength={254}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              error={tried && !email.trim() && common('required')}
              autoFocus
            />
            <Button type="submit" size="md" fullWidth loading={forgot.isPending}>
              {t('sendLink')}
            </Button>
          </Stack>
        </form>
      )}
      <p className="login-forgot">
        <Link to="/login">{t('backToSignIn')}</Link>
      </p>
    </LoginFrame>
  )
}
