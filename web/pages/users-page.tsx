import { ActionIcon, Button, Switch, Tooltip } from '@mantine/core'
import { Check, Pencil, Plus, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { User } from '../../contract/access.ts'
import { useChangeUser, useDeleteUser, useUsers } from '../access/access.ts'
import { InviteButton } from '../access/invite-button.tsx'
import { ResetFactorButton } from '../access/reset-factor-button.tsx'
import { UserDialog } from '../access/user-dialog.tsx'
import { isProblem } from '../api.ts'
import { NamedClients } from '../clients/named-clients.tsx'
import { useMe } from '../session.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { useChoice } from '../ui/use-choice.ts'
import { AdminFrame } from './admin-frame.tsx'
import { AdminTable } from './admin-table.tsx'

export function UsersPage() {
  const t = useTranslations('access.users')
  const common = useTranslations('access')
  const users = useUsers()
  const [q, setQ] = useState('')
  const [dialog, setDialog] = useState<{ user?: User } | null>(null)
  const wanted = q.trim().toLowerCase()
  const shown = users.data?.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={() => setDialog({})}>
      {t('create')}
    </Button>
  )
  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="users:write" create={create} admin>
      <SearchBox label={t('search')} value={q} onChange={setQ} />
      <LoadState query={users} />
      {shown?.length === 0 && <Nothing icon={<Search size={28} />} title={t('noMatch', { q: q.trim() })} />}
      {shown && shown.length > 0 && (
        <AdminTable
          heads={[t('name'), t('role'), t('sees'), t('active')]}
          acts={common('edit', { name: '' })}
        >
          {shown.map((user) => (
            <UserRow key={user.userId} user={user} onEdit={() => setDialog({ user })} />
          ))}
        </AdminTable>
      )}
      {dialog && <UserDialog user={dialog.user} onClose={() => setDialog(null)} />}
    </AdminFrame>
  )
}

function UserRow({ user, onEdit }: { user: User; onEdit(): void }) {
  const t = useTranslations('access.users')
  const common = useTranslations('access')
  const isMe = useMe()?.id === user.userId
  return (
    <tr data-off={!user.isActive}>
      <td data-main>
        <strong>
          {user.name}
          {isMe && <span className="access-you">{t('you')}</span>}
        </strong>
        <span className="access-sub">{user.email}</span>
      </td>
      <td data-label={t('role')}>
        <span className="access-role" data-role={user.role}>
          {t(`roles.${user.role}`)}
        </span>
      </td>
      <td data-label={t('sees')}>
        <NamedClients clientIds={user.clientIds} />
      </td>
      <td data-label={t('active')}>
        <ActiveSwitch user={user} isMe={isMe} />
      </td>
      <td data-act>
        {user.hasSecondFactor && !isMe && <ResetFactorButton user={user} />}
        {user.isActive && !isMe && <InviteButton user={user} />}
        <ActionIcon aria-label={common('edit', { name: user.name })} onClick={onEdit}>
          <Pencil size={16} />
        </ActionIcon>
        {!isMe && <DeleteButton user={user} />}
      </td>
    </tr>
  )
}

function DeleteButton({ user: { userId, name } }: { user: User }) {
  const t = useTranslations('access.users')
  const [isAsked, setAsked] = useState(false)
  const remove = useDeleteUser()
  return (
    <>
      <ActionIcon aria-label={t('delete', { name })} onClick={() => setAsked(true)}>
        <Trash2 size={16} />
      </ActionIcon>
      {isAsked && (
        <ConfirmRemoval
          title={t('deleteTitle', { name })}
          text={t('deleteText')}
          button={t('deleteButton')}
          remove={remove}
          what={userId}
          removed={t('deleted', { name })}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

function ActiveSwitch({ user, isMe }: { user: User; isMe: boolean }) {
  const t = useTranslations('access.users')
  const change = useChangeUser()
  const { name, userId } = user
  const [isActive, turn] = useChoice(user.isActive, {
    save: (isActive) => change.mutateAsync({ userId, isActive }),
    about: userId,
    saved: (isActive) => (isActive ? t('switchedOn', { name }) : t('switchedOff', { name })),
    refused: (error) => (isProblem(error, 'in-use') ? t('lastAdmin') : undefined),
  })
  if (isMe)
    return (
      <Tooltip label={t('notYourself')}>
        <span className="access-yes" role="img" aria-label={t('activeOf', { name })}>
          <Check size={18} />
        </span>
      </Tooltip>
    )
  return (
    <Switch
      aria-label={t('activeOf', { name })}
      checked={isActive}
      onChange={(event) => turn(event.currentTarget.checked)}
    />
  )
}
