import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { decimalMark } from '../words/decimal-mark.ts'
import { fileSize } from '../words/file-size.ts'
import { useFormProblems } from '../words/form-problems.ts'
import { useSaveClient } from './clients.ts'

const GB = 1e9
const inGb = ({ quotaBytes }: Client) => Math.round((quotaBytes / GB) * 100) / 100

/** What a client is called and how much it may store: the fields, and what saving them comes to. */
export function useClientForm(client: Client | undefined, onSaved: (saved: Client) => void) {
  const t = useTranslations('access.manage')
  const common = useTranslations('access')
  const locale = useLocale()
  const [saved, setSaved] = useState(client)
  const before = saved ? inGb(saved) : ''
  const [name, setName] = useState(client?.name ?? '')
  const [quota, setQuota] = useState<string | number>(before)
  const [tried, setTried] = useState(false)
  const save = useSaveClient(client?.clientId)
  const { at, general } = useFormProblems(save.error, ['name', 'quotaBytes'], { quotaBytes: GB })
  const quotaIsBad = quota === '' ? client !== undefined : !(Number(quota) >= 0)
  // What is shown is rounded.
  const quotaBytes = saved && quota === before ? saved.quotaBytes : Math.round(Number(quota) * GB)
  const isFull = client !== undefined && !quotaIsBad && quotaBytes < client.storedBytes

  function submit() {
    setTried(true)
    if (!name.trim() || quotaIsBad) return
    const isSet = quota !== '' && quota !== before
    save.mutate({ name: name.trim(), ...(isSet && { quotaBytes }) }, { onSuccess: showSaved })
  }

  function showSaved(now: Client) {
    setSaved(now)
    setName(now.name)
    setQuota(inGb(now))
    onSaved(now)
  }

  const fields = (
    <>
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
          client
            ? t(isFull ? 'quotaIsFull' : 'quotaHintEdit', { used: fileSize(client.storedBytes, locale) })
            : t('quotaHint')
        }
        min={0}
        clampBehavior="none"
        decimalScale={2}
        decimalSeparator={decimalMark(locale)}
        valueIsNumericString
        hideControls
        value={quota}
        onChange={setQuota}
        error={quotaIsBad ? t('quotaBad') : at.quotaBytes}
      />
    </>
  )
  const isChanged = name.trim() !== (saved?.name ?? '') || quota !== before
  return { fields, submit, problem: general, busy: save.isPending, isChanged }
}
