import { Alert, Button, PasswordInput, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import { isProblem } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { useFormProblems } from '../words/form-problems.ts'
import { languageNames, useLanguage } from '../words/words.tsx'
import { useChangeMe } from './account.ts'
import { Section } from './section.tsx'

/** Name, e-mail and language. Another e-mail asks for the password. */
export function ProfileForm({ me }: { me: Me }) {
  const t = useTranslations('account')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const spoken = useLanguage()
  const [name, setName] = useState(me.name)
  const [email, setEmail] = useState(me.email!)
  const [language, setLanguage] = useState<Language>(me.language ?? spoken)
  const [password, setPassword] = useState('')
  const change = useChangeMe()
  const { at, general } = useFormProblems(change.error, ['name', 'email'])
  const isNewEmail = email.trim().toLowerCase() !== me.email!.toLowerCase()
  const sentTo = change.data?.emailToConfirm

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate(
      { name: name.trim() || me.name, language, ...(isNewEmail && { email: email.trim(), password }) },
      {
        onSuccess: ({ emailToConfirm }) => {
          setPassword('')
          if (emailToConfirm) setEmail(me.email!)
          toast({ about: 'account', text: t('saved') })
        },
      },
    )
  }

  return (
    <Section title={t('profile')} onSubmit={submit}>
      {general && !isProblem(change.error, 'wrong-password') && (
        <Alert color="red" variant="light" role="alert">
          {general}
        </Alert>
      )}
      {sentTo && (
        <Alert variant="light" role="status">
          {t('confirmSent', { email: sentTo })}
        </Alert>
      )}
      <TextInput
        label={t('name')}
        name="name"
        autoComplete="name"
        maxLength={120}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={at.name}
      />
      <TextInput
        label={common('email')}
        description={t('emailHint')}
        type="email"
        name="email"
        autoComplete="email"
        maxLength={254}
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={at.email}
      />
      {isNewEmail && (
        <PasswordInput
          label={t('currentPassword')}
          description={t('passwordForEmail')}
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isProblem(change.error, 'wrong-password') && t('wrongPassword')}
          visibilityToggleButtonProps={{ 'aria-label': common('showPassword'), tabIndex: 0 }}
        />
      )}
      <Select
        label={t('language')}
        description={t('languageHint')}
        data={languageNames.map(({ language: value, name: label }) => ({ value, label }))}
        value={language}
        onChange={(value) => setLanguage(value as Language)}
        allowDeselect={false}
      />
      <Button type="submit" loading={change.isPending}>
        {words('save')}
      </Button>
    </Section>
  )
}
