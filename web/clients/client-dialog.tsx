import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { fileSize } from '../words/file-size.ts'
import { useFormProblems } from '../words/form-problems.ts'
import { useSaveClient } from './clients.ts'

const GB = 1e9

/** Creates a client, or changes the one given. */
export function ClientDialog({
  client,
  onClose,
  onCreated,
}: {
  client?: Client
  onClose(): void
  onCreated?(client: Client): void
}) {
  const t = useTranslations('access.manage')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const locale = useLocale()
  const before = client ? Math.round((client.quotaBytes / GB) * 100) / 100 : ''
  const [name, setName] = useState(client?.name ?? '')
  const [quota, setQuota] = useState<string | number>(before)
  const [tried, setTried] = useState(false)
  const save = useSaveClient(client?.clientId)
  const { at, general } = useFormProblems(save.error, ['name', 'quotaBytes'])
  const quotaIsBad = quota !== '' && !(Number(quota) >= 0)

  function submit() {
    setTried(true)
    if (!name.trim() || quotaIsBad) return
    // An untouched limit is not sent: its rounded GB would change it by a few bytes.
    const quotaBytes = quota === '' || quota === before ? undefined : Math.round(Number(quota) * GB)
    save.mutate(
      { name: name.trim(), quotaBytes },
      {
        onSuccess: (saved) => {
          onClose()
          if (!client) onCreated?.(saved)
        },
      },
    )
  }

  return (
    <FormDialog
      title={client ? t('editTitle') : t('createTitle')}
      problem={general}
      act={client ? words('save') : common('create')}
      busy={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        maxLength={120}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={tried && !name.trim() ? common('required') : at.name}
        data-autofocus
      />
      <NumberInput
        label={t('quota')}
        description={
          client ? t('quotaHintEdit', { used: fileSize(client.storedBytes, locale) }) : t('quotaHint')
        }
        min={0}
        decimalScale={2}
        hideControls
        value={quota}
        onChange={setQuota}
        error={quotaIsBad ? t('quotaBad') : at.quotaBytes}
      />
    </FormDialog>
  )
}
