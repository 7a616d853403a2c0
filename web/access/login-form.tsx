import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import { isProblem } from '../api.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useSignIn } from './access.ts'
import { SecondStepForm } from './second-step.tsx'

/** E-mail and password. Who is known already only enters the password. */
export function LoginForm({ email: known, onSignedIn }: { email?: string; onSignedIn(me: Me): void }) {
  const t = useTranslations('access')
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [incomplete, setIncomplete] = useState(false)
  const signIn = useSignIn()
  const begun = signIn.data && 'step' in signIn.data ? signIn.data : null
  const problem = useLoginProblem(signIn.error)
  const complaint = incomplete ? t('fillBoth') : problem

  function submit(event: FormEvent) {
    event.preventDefault()
    setIncomplete(!email.trim() || !password)
    if (!email.trim() || !password) return signIn.reset()
    signIn.mutate(
      { email: email.trim(), password },
      {
        onSuccess: (answer) => {
          if (!('step' in answer)) onSignedIn(answer)
        },
      },
    )
  }

  function back() {
    signIn.reset()
    setPassword('')
  }

  if (begun) return <SecondStepForm begun={begun} onSignedIn={onSignedIn} onBack={back} />

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {complaint && (
          <Alert color="red" variant="light" icon={<CircleAlert size={18} />} className="access-alert">
            {complaint}
          </Alert>
        )}
        <TextInput
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          size="md"
          value={email}
          readOnly={known !== undefined}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoFocus={known === undefined}
        />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          size="md"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoFocus={known !== undefined}
          data-autofocus={known !== undefined || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending} mt={4}>
          {t('signIn')}
        </Button>
      </Stack>
    </form>
  )
}

function useLoginProblem(error: unknown): string | null {
  const t = useTranslations('access')
  const format = useFormatter()
  const problemText = useProblemText()
  if (!error) return null
  if (isProblem(error, 'wrong-login')) return t('wrongLogin')
  if (!isProblem(error, 'too-many-attempts')) return problemText(error)
  const minutes = Math.ceil((error.retryAfterSeconds ?? 900) / 60)
  const time = format.dateTime(new Date(Date.now() + minutes * 60_000), { timeStyle: 'short' })
  return t('tooManyAttempts', { minutes, time })
}
