import { MultiSelect, Select } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useEveryClient } from './clients.ts'

interface Choice<Value> {
  label: string
  value: Value
  error?: string | false
  onChange(value: Value): void
}

export function ChooseClients({ label, value, error, onChange }: Choice<string[]>) {
  const t = useTranslations('access.users')
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? t('pickClients') : undefined}
      data={useChoices()}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      hidePickedOptions
      nothingFoundMessage={t('noClient')}
      comboboxProps={{ zIndex: 310 }}
    />
  )
}

export function ChooseClient({ label, value, error, onChange }: Choice<string | null>) {
  const t = useTranslations('access.users')
  return (
    <Select
      label={label}
      placeholder={t('pickClient')}
      data={useChoices()}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      nothingFoundMessage={t('noClient')}
      comboboxProps={{ zIndex: 310 }}
    />
  )
}

function useChoices() {
  const { data: clients = [] } = useEveryClient()
  return clients.map(({ clientId, name }) => ({ value: clientId, label: name }))
}
