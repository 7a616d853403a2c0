import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSignIn } from '../access/access.ts'
import { LoginFrame } from '../access/login-frame.tsx'
import { useChoosePassword } from '../account/account.ts'
import { isProblem } from '../api.ts'
import { useProblemText } from '../words/problem-text.ts'

export const ResetPasswordPage = () => <ChoosePassword purpose="reset" />
export const AcceptInvitationPage = () => <ChoosePassword purpose="accept-invitation" />

/** Where a link leads to. Looking at it changes nothing: the link is used when a password is sent. */
function ChoosePassword({ purpose }: { purpose: 'reset' | 'accept-invitation' }) {
  const t = useTranslations('account')
  const common = useTranslations('access')
  const users = useTranslations('access.users')
  const problemText = useProblemText()
  const router = useRouter()
  const [password, setPassword] = useState('')
  const choose = useChoosePassword(purpose)
  const signIn = useSignIn()
  const { error } = choose
  const isOver = isProblem(error, 'link-over')

  function submit(event: FormEvent) {
    event.preventDefault()
    const token = location.hash.slice(1)
    choose.mutate(
      { token: token || 'none', password: password || ' ' },
      {
        onSuccess: ({ email }) => {
          const toLogin = () => router.navigate({ to: '/login', replace: true })
          signIn.mutate(
            { email, password },
            {
              onSuccess: (answer) =>
                'step' in answer ? toLogin() : router.navigate({ to: '/', replace: true }),
              onError: toLogin,
            },
          )
        },
      },
    )
  }

  return (
    <LoginFrame title={t(`${purpose}.title`)} lead={t(`${purpose}.lead`)}>
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          {error && !isProblem(error, 'weak-password') && (
            <Alert color="red" variant="light" role="alert" className="access-alert">
              {isOver ? t(`${purpose}.over`) : problemText(error)}
            </Alert>
          )}
          <PasswordInput
            label={t('newPassword')}
            description={users('passwordHint')}
            name="new-password"
            autoComplete="new-password"
            size="md"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={isProblem(error, 'weak-password') && users('weakPassword')}
            autoFocus
            visibilityToggleButtonProps={{ 'aria-label': common('showPassword'), tabIndex: 0 }}
          />
          <Button
            type="submit"
            size="md"
            fullWidth
            loading={choose.isPending || choose.isSuccess}
            disabled={isOver}
          >
            {t(`${purpose}.button`)}
          </Button>
        </Stack>
      </form>
      <p className="login-forgot">
        <Link to={isOver && purpose === 'reset' ? '/forgot-password' : '/login'}>
          {isOver && purpose === 'reset' ? t('sendAnother') : t('backToSignIn')}
        </Link>
      </p>
    </LoginFrame>
  )
}
