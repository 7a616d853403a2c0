import { ActionIcon, Button, Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCopy } from '../ui/use-copy.ts'
import { newSigningSecret } from './connection-fields.ts'
import type { Field } from './kinds.ts'

interface ConnectionFieldProps {
  field: Field
  value: unknown
  error?: string
  onChange(value: unknown): void
}

/** One thing a kind of connection asks for. */
export function ConnectionField({ field, value, error, onChange }: ConnectionFieldProps) {
  const t = useTranslations('connections')
  const { name, optional, secret, choices, yesNo } = field
  const text = typeof value === 'string' ? value : ''
  const shared = {
    label: t(`fields.${name}`),
    description: t.has(`hints.${name}`) ? t(`hints.${name}`) : undefined,
    error,
    required: !optional,
  }
  if (yesNo)
    return (
      <Checkbox
        label={shared.label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (choices)
    return (
      <NativeSelect
        {...shared}
        data={choices.map((choice) => ({ value: choice, label: t(`choices.${choice}`) }))}
        value={text || choices[0]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (name === 'signingSecret') return <SigningSecret shared={shared} value={text} onChange={onChange} />
  const input = {
    ...shared,
    value: text,
    maxLength: 4000,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  return secret ? (
    <PasswordInput
      {...input}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('showSecret') }}
    />
  ) : (
    <TextInput {...input} autoComplete="off" spellCheck={false} />
  )
}

/** Both sides need the same secret: one made here can be copied while it is still on the screen. */
function SigningSecret({
  shared,
  value,
  onChange,
}: {
  shared: { label: string; description?: string; error?: string; required: boolean }
  value: string
  onChange(value: string): void
}) {
  const t = useTranslations('connections')
  const words = useTranslations('app')
  const [visible, setVisible] = useState(false)
  const { copied, copy } = useCopy(value)
  return (
    <div className="connection-secret">
      <PasswordInput
        {...shared}
        value={value}
        maxLength={200}
        autoComplete="new-password"
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': t('showSecret') }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className="connection-secret-acts">
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            onChange(newSigningSecret())
            setVisible(true)
          }}
        >
          {t('generate')}
        </Button>
        {value && (
          <ActionIcon size={28} onClick={copy} aria-label={copied ? words('copied') : t('copySecret')}>
            {copied ? <Check size={16} /> : <Copy size={16} />}
          </ActionIcon>
        )}
      </div>
    </div>
  )
}
