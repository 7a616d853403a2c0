import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ApiKeyWithSecret, keyRoles } from '../../contract/access.ts'
import { ChooseClients } from '../clients/choose-clients.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useFormProblems } from '../words/form-problems.ts'
import { useCreateApiKey } from './access.ts'

type Role = ApiKeyWithSecret['role']

/** Creates a key and shows its secret, which nobody can look up again. */
export function KeyDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('access.keys')
  const common = useTranslations('access')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('agent')
  const [clientIds, setClientIds] = useState<string[]>([])
  const [tried, setTried] = useState(false)
  const create = useCreateApiKey()
  const { at, general } = useFormProblems(create.error, ['name', 'clientIds'])

  function submit() {
    setTried(true)
    if (name.trim() && clientIds.length > 0) create.mutate({ name: name.trim(), role, clientIds })
  }

  return (
    <FormDialog
      title={create.data ? t('createdTitle', { name: create.data.name }) : t('createTitle')}
      secret={create.data && { text: t('createdText'), secret: create.data.apiKey }}
      problem={general}
      act={common('create')}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        maxLength={120}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={tried && !name.trim() ? common('required') : at.name}
        data-autofocus
      />
      <Select
        label={t('role')}
        description={t(`roleHints.${role}`)}
        data={keyRoles.map((value) => ({ value, label: t(`roles.${value}`) }))}
        value={role}
        onChange={(value) => setRole(value as Role)}
        allowDeselect={false}
        comboboxProps={{ zIndex: 310 }}
      />
      <ChooseClients
        label={t('clients')}
        value={clientIds}
        onChange={setClientIds}
        error={tried && clientIds.length === 0 ? t('clientsNeeded') : at.clientIds}
      />
    </FormDialog>
  )
}
