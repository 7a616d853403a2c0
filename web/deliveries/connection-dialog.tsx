import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ConnectionKind, connectionKindNames } from '../../contract/connection-kinds.ts'
import type { Connection } from '../../contract/deliveries.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useFormProblems } from '../words/form-problems.ts'
import { ConnectionField } from './connection-field.tsx'
import { isMalformed } from './connection-fields.ts'
import { useSaveConnection } from './deliveries.ts'
import { type Field, secretsOf, settingsOf } from './kinds.ts'
import { offerFor, useSignInMissing, useSignInOffers } from './sign-in.ts'

type Values = Record<string, unknown>

/** Connects a system, or changes the connection given. Login data goes in and never comes out again. */
export function ConnectionDialog({
  connection,
  onSaved,
  onSignIn,
  onClose,
}: {
  connection?: Connection
  onSaved(connection: Connection): void
  /** It was made without a login, so that somebody signs in. */
  onSignIn(connection: Connection): void
  onClose(): void
}) {
  const t = useTranslations('connections')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const [kind, setKind] = useState<ConnectionKind>(connection?.kind ?? 'wordpress')
  const [name, setName] = useState(connection?.name ?? '')
  const [settings, setSettings] = useState<Values>(connection?.settings ?? {})
  const [secrets, setSecrets] = useState<Values>({})
  const [tried, setTried] = useState(false)
  const save = useSaveConnection(connection?.connectionId)
  const { at, general } = useFormProblems(save.error, ['name'])
  const offer = offerFor(useSignInOffers().data, kind)
  const missingFor = useSignInMissing()
  const isWithout = Object.values(secrets).every((value) => !value)
  const signsIn = !connection && isWithout && offer?.ready
  const needsNone = (connection !== undefined && isWithout) || signsIn

  function problemOf(field: Field, value: unknown): string | undefined {
    if (!value) return field.optional ? undefined : common('required')
    const isBad = typeof value === 'string' && isMalformed(kind, field, value)
    return isBad ? t(`bad.${field.name}`) : undefined
  }
  const isGood = () =>
    name.trim() &&
    !settingsOf(kind).some((field) => problemOf(field, settings[field.name])) &&
    (needsNone || !secretsOf(kind).some((field) => problemOf(field, secrets[field.name])))

  function submit() {
    setTried(true)
    if (!isGood()) return
    const wish = { name: name.trim(), settings: filledIn(settings) }
    const given = needsNone ? wish : { ...wish, secrets: filledIn(secrets) }
    save.mutate(connection ? given : { kind, ...given }, {
      onSuccess: (saved) => {
        onClose()
        if (signsIn) onSignIn(saved)
        else onSaved(saved)
      },
    })
  }

  return (
    <FormDialog
      size={520}
      isLong
      title={connection ? t('editTitle', { name: connection.name }) : t('createTitle')}
      problem={general}
      act={connection ? words('save') : common('create')}
      busy={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {!connection && (
        <NativeSelect
          label={t('kind')}
          description={t(`kindHints.${kind}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={connectionKindNames.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value as ConnectionKind)
            setSettings({})
            setSecrets({})
            setTried(false)
          }}
          data-autofocus
        />
      )}
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={tried && !name.trim() ? common('required') : at.name}
      />
      {settingsOf(kind).map((field) => (
        <ConnectionField
          key={field.name}
          field={field}
          value={settings[field.name]}
          onChange={(value) => setSettings({ ...settings, [field.name]: value })}
          error={tried ? problemOf(field, settings[field.name]) : undefined}
        />
      ))}
      <fieldset className="connection-login">
        <legend>{t('login')}</legend>
        <p>
          {t('loginHint')} {connection && t('loginKept')}
          {!connection && offer?.ready && t('signInHint', { provider: t(`providers.${offer.provider}`) })}
        </p>
        {offer && !offer.ready && <p>{missingFor(offer)}</p>}
        <Stack gap={14}>
          {secretsOf(kind).map((field) => (
            <ConnectionField
              key={field.name}
              field={connection || offer?.ready ? { ...field, optional: true } : field}
              value={secrets[field.name]}
              onChange={(value) => setSecrets({ ...secrets, [field.name]: value })}
              error={tried && !needsNone ? problemOf(field, secrets[field.name]) : undefined}
            />
          ))}
        </Stack>
      </fieldset>
    </FormDialog>
  )
}

/** An empty field is one not given. */
const filledIn = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
      .filter(([, value]) => value !== ''),
  )
