import { Alert, Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import { isProblem } from '../api.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useChangePassword } from './account.ts'
import { Section } from './section.tsx'

/** The present password and the next. */
export function PasswordForm({ lead, onChanged }: { lead: string; onChanged(me: Me): void }) {
  const t = useTranslations('account')
  const common = useTranslations('access')
  const users = useTranslations('access.users')
  const problemText = useProblemText()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useChangePassword()
  const { error } = change
  const isAboutField = isProblem(error, 'wrong-password') || isProblem(error, 'weak-password')

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate(
      { current, next: next || ' ' },
      {
        onSuccess: (me) => {
          setCurrent('')
          setNext('')
          onChanged(me)
        },
      },
    )
  }

  const eye = { 'aria-label': common('showPassword'), tabIndex: 0 }
  return (
    <Section title={t('password')} lead={lead} onSubmit={submit}>
      {error && !isAboutField && (
        <Alert color="red" variant="light" role="alert">
          {problemText(error)}
        </Alert>
      )}
      <PasswordInput
        label={t('currentPassword')}
        name="current-password"
        autoComplete="current-password"
        required
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        error={isProblem(error, 'wrong-password') && t('wrongPassword')}
        visibilityToggleButtonProps={eye}
      />
      <PasswordInput
        label={t('newPassword')}
        name="new-password"
        description={users('passwordHint')}
        autoComplete="new-password"
        required
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
        error={isProblem(error, 'weak-password') && t('weakPassword')}
        visibilityToggleButtonProps={eye}
      />
      <Button type="submit" loading={change.isPending}>
        {t('changePassword')}
      </Button>
    </Section>
  )
}
