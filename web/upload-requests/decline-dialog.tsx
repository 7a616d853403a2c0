import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog } from '../ui/form-dialog.tsx'
import { DecidedFiles } from './decided-files.tsx'

/** Says that declined files are removed for good, and takes a word on why. */
export function DeclineDialog({
  names,
  busy,
  onDecline,
  onClose,
}: {
  /** What it is about. */
  names: string[]
  busy: boolean
  onDecline(note: string): void
  onClose(): void
}) {
  const t = useTranslations('uploadRequests')
  const count = names.length
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('declineTitle', { count })}
      problem={null}
      act={t('declineSome', { count })}
      busy={busy}
      onSubmit={() => onDecline(note.trim())}
      onClose={onClose}
    >
      <DecidedFiles names={names} />
      <Textarea
        label={t('declineNote')}
        description={t('declineHint')}
        autosize
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  )
}
