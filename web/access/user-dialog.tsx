import { PasswordInput, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type User, type UserWithPassword, userRoles } from '../../contract/access.ts'
import { ChooseClient } from '../clients/choose-clients.tsx'
import { ChooseClientsOrAll } from '../clients/choose-clients-or-all.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useFormProblems } from '../words/form-problems.ts'
import { useChangeUser, useCreateUser } from './access.ts'

type Role = User['role']

/** Creates a person, or changes the one given. A generated password is shown once, before the dialog closes. */
export function UserDialog({ user, onClose }: { user?: User; onClose(): void }) {
  const t = useTranslations('access.users')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const [email, setEmail] = useState(user?.email ?? '')
  const [name, setName] = useState(user?.name ?? '')
  const [role, setRole] = useState<Role>(user?.role ?? 'operator')
  const [everyClient, setEveryClient] = useState(user ? user.clientIds === null : true)
  const [clientIds, setClientIds] = useState(user?.clientIds ?? [])
  const [ownPassword, setOwnPassword] = useState(!!user)
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [created, setCreated] = useState<UserWithPassword | null>(null)
  const create = useCreateUser()
  const change = useChangeUser()
  const { at, general } = useFormProblems(user ? change.error : create.error, [
    'email',
    'name',
    'clientIds',
    'password',
  ])

  const wrong = {
    email: !user && !/^[^\s@]+@[^\s@]+$/.test(email.trim()) && t('emailBad'),
    name: !name.trim() && common('required'),
    clientIds: role === 'client' && clientIds.length !== 1 && t('clientNeeded'),
    password: ownPassword && (password || !user) && password.length < 12 && t('weakPassword'),
  }
  const shown = (field: keyof typeof wrong) => (tried && wrong[field]) || at[field]

  const onSaved = (saved: UserWithPassword) => (saved.password ? setCreated(saved) : onClose())

  function submit() {
    setTried(true)
    if (Object.values(wrong).some(Boolean)) return
    const wish = {
      name: name.trim(),
      role,
      clientIds: role === 'admin' || (role !== 'client' && everyClient) ? null : clientIds,
      ...(ownPassword && password && { password }),
    }
    if (user) change.mutate({ userId: user.userId, ...wish }, { onSuccess: onSaved })
    else create.mutate({ email: email.trim(), ...wish }, { onSuccess: onSaved })
  }

  const title = created
    ? t('createdTitle', { name: created.name })
    : user
      ? t('editTitle', { name: user.name })
      : t('createTitle')
  return (
    <FormDialog
      title={title}
      secret={created?.password ? { text: t('createdText'), secret: created.password } : null}
      problem={general}
      act={user ? words('save') : common('create')}
      busy={create.isPending || change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        required
        maxLength={120}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={shown('name')}
        data-autofocus
      />
      <TextInput
        label={common('email')}
        type="email"
        required={!user}
        disabled={!!user}
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={shown('email')}
      />
      <Select
        label={t('role')}
        description={t(`roleHints.${role}`)}
        data={userRoles.map((value) => ({ value, label: t(`roles.${value}`) }))}
        value={role}
        onChange={(value) => setRole(value as Role)}
        allowDeselect={false}
        comboboxProps={{ zIndex: 310 }}
      />
      {role === 'client' && (
        <ChooseClient
          label={t('client')}
          value={clientIds.length === 1 ? clientIds[0]! : null}
          onChange={(clientId) => setClientIds(clientId ? [clientId] : [])}
          error={shown('clientIds')}
        />
      )}
      {(role === 'operator' || role === 'viewer') && (
        <ChooseClientsOrAll
          allLabel={t('everyClient')}
          all={everyClient}
          onAllChange={setEveryClient}
          label={t('clients')}
          value={clientIds}
          onChange={setClientIds}
          error={shown('clientIds')}
        />
      )}
      {!user && (
        <Radio.Group
          label={t('passwordHow')}
          value={ownPassword ? 'own' : 'generated'}
          onChange={(value) => setOwnPassword(value === 'own')}
        >
          <Stack gap={8} mt={6}>
            <Radio value="generated" label={t('generate')} />
            <Radio value="own" label={t('choose')} />
          </Stack>
        </Radio.Group>
      )}
      {ownPassword && (
        <PasswordInput
          label={user ? t('newPassword') : common('password')}
          description={user ? t('newPasswordHint') : t('passwordHint')}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={shown('password')}
          visibilityToggleButtonProps={{ 'aria-label': common('showPassword'), tabIndex: 0 }}
        />
      )}
    </FormDialog>
  )
}
