import { PasswordInput, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type User, type UserWithPassword, userRoles } from '../../contract/access.ts'
import { ChooseClient } from '../clients/choose-clients.tsx'
import { ChooseClientsOrAll } from '../clients/choose-clients-or-all.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { useFormProblems } from '../words/form-problems.ts'
import { useChangeUser, useCreateUser, useInvite, useSignInOptions } from './access.ts'

type Role = User['role']
type FirstPassword = 'invite' | 'generated' | 'own'

/**
 * Creates a person, or changes the one given. A generated password, or the link of an invitation that cannot be mailed,
 * is shown once, before the dialog closes.
 */
export function UserDialog({ user, onClose }: { user?: User; onClose(): void }) {
  const t = useTranslations('access.users')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const [email, setEmail] = useState(user?.email ?? '')
  const [name, setName] = useState(user?.name ?? '')
  const [role, setRole] = useState<Role>(user?.role ?? 'operator')
  const [everyClient, setEveryClient] = useState(user ? user.clientIds === null : true)
  const [clientIds, setClientIds] = useState(user?.clientIds ?? [])
  const canMail = useSignInOptions().data?.mail ?? false
  const [chosen, setChosen] = useState<FirstPassword | null>(null)
  const first = chosen ?? (canMail ? 'invite' : 'generated')
  const ownPassword = !!user || first === 'own'
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [created, setCreated] = useState<UserWithPassword | null>(null)
  const invite = useInvite()
  const link = invite.data?.link
  const create = useCreateUser()
  const change = useChangeUser()
  const { at, general } = useFormProblems(invite.error ?? (user ? change.error : create.error), [
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

  function onSaved(saved: UserWithPassword) {
    if (!user && first === 'invite') return sendInvitation(saved)
    if (saved.password) setCreated(saved)
    else onClose()
  }

  function sendInvitation(person: UserWithPassword) {
    setCreated(person)
    invite.mutate(person.userId, {
      onSuccess: ({ sentTo }) => {
        if (!sentTo) return
        toast({ about: person.userId, text: t('invited', { email: sentTo }) })
        onClose()
      },
    })
  }

  function submit() {
    setTried(true)
    if (Object.values(wrong).some(Boolean)) return
    const wish = {
      name: name.trim(),
      role,
      clientIds: role === 'admin' || (role !== 'client' && everyClient) ? null : clientIds,
      ...(ownPassword && password && { password }),
    }
    if (created) return sendInvitation(created) // the person is there; only the invitation was refused
    if (user) change.mutate({ userId: user.userId, ...wish }, { onSuccess: onSaved })
    else create.mutate({ email: email.trim(), ...wish }, { onSuccess: onSaved })
  }

  const secret = link ?? (first === 'invite' ? undefined : created?.password)
  const title = secret
    ? t(link ? 'invitedTitle' : 'createdTitle', { name: created!.name })
    : user
      ? t('editTitle', { name: user.name })
      : t('createTitle')
  return (
    <FormDialog
      title={title}
      secret={
        secret ? { text: t(link ? 'invitedText' : 'createdText', { name: created!.name }), secret } : null
      }
      problem={general}
      act={user ? words('save') : common('create')}
      busy={create.isPending || change.isPending || invite.isPending}
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
          value={first}
          onChange={(value) => setChosen(value as FirstPassword)}
        >
          <Stack gap={8} mt={6}>
            <Radio value="invite" label={canMail ? t('inviteByMail') : t('inviteByLink')} />
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
