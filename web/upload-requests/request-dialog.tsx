import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { mostRequestedFiles, usualRequestDays, usualRequestedFiles } from '../../contract/upload-requests.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { endingStyle } from '../words/ending.ts'
import { useFormProblems } from '../words/form-problems.ts'
import { useCreateUploadRequest } from './upload-requests.ts'

const lifetimes = [1, 7, 14, 30, 90]
const gigabytes = [1, 5, 10, 50, 200]

/** Makes a link by which people without an account send files for a folder, and shows it once. */
export function RequestDialog({
  folder,
  onClose,
}: {
  folder: { folderId: string; name: string } | null
  onClose(): void
}) {
  const t = useTranslations('uploadRequests')
  const common = useTranslations('access')
  const format = useFormatter()
  const create = useCreateUploadRequest()
  const [title, setTitle] = useState(folder ? t('titleFor', { folder: folder.name }) : '')
  const [note, setNote] = useState('')
  const [days, setDays] = useState(usualRequestDays)
  const [files, setFiles] = useState<number | string>(usualRequestedFiles)
  const [size, setSize] = useState(10)
  const [tried, setTried] = useState(false)
  const { at, general } = useFormProblems(create.error, ['title', 'note', 'maxFiles'])
  const made = create.data

  function submit() {
    setTried(true)
    if (!title.trim()) return
    create.mutate({
      title: title.trim(),
      folderId: folder?.folderId ?? null,
      ttlDays: days,
      maxFiles: Number(files) || usualRequestedFiles,
      maxBytes: size * 1000 ** 3,
      ...(note.trim() && { note: note.trim() }),
    })
  }

  return (
    <FormDialog
      title={made ? t('madeTitle') : t('createTitle')}
      isLong
      secret={
        made && {
          text: t('madeText', {
            day: format.dateTime(new Date(made.expiresAt), endingStyle(made.expiresAt, 'long')),
          }),
          secret: made.url,
        }
      }
      problem={general}
      act={t('make')}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('title')}
        description={folder ? t('goesTo', { folder: folder.name }) : t('goesToTop')}
        required
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={tried && !title.trim() ? common('required') : at.title}
        data-autofocus
      />
      <Textarea
        label={t('note')}
        autosize
        maxRows={6}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        error={at.note}
      />
      <NativeSelect
        label={t('lasts')}
        data={lifetimes.map((value) => ({ value: String(value), label: t('days', { days: value }) }))}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
      <NumberInput
        label={t('mostFiles')}
        min={1}
        max={mostRequestedFiles}
        allowDecimal={false}
        value={files}
        onChange={setFiles}
        error={at.maxFiles}
      />
      <NativeSelect
        label={t('mostBytes')}
        data={gigabytes.map((value) => ({ value: String(value), label: `${value} GB` }))}
        value={String(size)}
        onChange={(event) => setSize(Number(event.currentTarget.value))}
      />
    </FormDialog>
  )
}
