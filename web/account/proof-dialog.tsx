import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { PasskeyDeclined } from '../access/passkeys.ts'
import { isProblem } from '../api.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useProblemText } from '../words/problem-text.ts'

/** Asks for the password before something that only its owner may do. */
export function ProofDialog(props: {
  title: string
  text: string
  act: string
  /** Where something is to be given a name, too. */
  nameLabel?: string
  error: unknown
  busy: boolean
  onSubmit(password: string, name: string): void
  onClose(): void
}) {
  const t = useTranslations('account')
  const common = useTranslations('access')
  const problemText = useProblemText()
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const { error, nameLabel } = props
  const isWrong = isProblem(error, 'wrong-password')
  const problem =
    error instanceof PasskeyDeclined ? t('factors.declined') : error && !isWrong ? problemText(error) : null
  return (
    <FormDialog
      title={props.title}
      problem={problem}
      act={props.act}
      busy={props.busy}
      onSubmit={() => props.onSubmit(password, name.trim() || (nameLabel ?? ''))}
      onClose={props.onClose}
    >
      <p className="account-text">{props.text}</p>
      {nameLabel && (
        <TextInput
          label={nameLabel}
          maxLength={120}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <PasswordInput
        label={t('currentPassword')}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isWrong && t('wrongPassword')}
        data-autofocus={!nameLabel || undefined}
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword'), tabIndex: 0 }}
      />
    </FormDialog>
  )
}
