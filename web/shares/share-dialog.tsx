import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { NewShareLink } from '../../contract/shares.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { endingStyle } from '../words/ending.ts'
import { useFormProblems } from '../words/form-problems.ts'
import { useCreateShareLink } from './share-links.ts'

const lifetimes = [1, 7, 30, 90, 365]
const usual = 30

/** What a link gives: to look at, or to take away as copies or as they are. */
const gives = {
  view: { allows: 'view', files: 'rendition' },
  copies: { allows: 'download', files: 'rendition' },
  originals: { allows: 'download', files: 'original' },
} as const satisfies Record<string, Pick<NewShareLink, 'allows' | 'files'>>
type Gives = keyof typeof gives

/** Makes a link for people without an account, and shows it once. */
export function ShareDialog({
  what,
  name,
  onClose,
}: {
  what: { assetIds: string[] } | { folderId: string } | { collectionId: string }
  /** Of the one thing that is shared. */
  name: string | undefined
  onClose(): void
}) {
  const t = useTranslations('shares')
  const common = useTranslations('access')
  const format = useFormatter()
  const create = useCreateShareLink()
  const [title, setTitle] = useState(name ?? '')
  const [note, setNote] = useState('')
  const [days, setDays] = useState(usual)
  const [given, setGiven] = useState<Gives>('view')
  const [watermark, setWatermark] = useState('')
  const [password, setPassword] = useState('')
  const [review, setReview] = useState(false)
  const [tried, setTried] = useState(false)
  const { at, general } = useFormProblems(create.error, ['title', 'note', 'watermark', 'password'])
  const hint = 'folderId' in what ? t('folderHint') : 'collectionId' in what ? t('collectionHint') : undefined
  const made = create.data

  function submit() {
    setTried(true)
    if (!title.trim()) return
    create.mutate({
      ...what,
      ...gives[given],
      title: title.trim(),
      ttlDays: days,
      ...(note.trim() && { note: note.trim() }),
      ...(given !== 'originals' && watermark.trim() && { watermark: watermark.trim() }),
      ...(password && { password }),
      ...(review && { review }),
    })
  }

  return (
    <FormDialog
      title={
        made
          ? t('madeTitle')
          : t('createTitle', {
              count: 'assetIds' in what ? what.assetIds.length : 'folderId' in what ? 0 : -1,
            })
      }
      isLong
      secret={
        made && {
          text: t(password ? 'madeTextPassword' : 'madeText', {
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
        description={hint}
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
        label={t('gives')}
        description={t(`givesHints.${given}`)}
        data={Object.keys(gives).map((value) => ({ value, label: t(`givesWords.${value as Gives}`) }))}
        value={given}
        onChange={(event) => setGiven(event.currentTarget.value as Gives)}
      />
      {given !== 'originals' && (
        <TextInput
          label={t('watermark')}
          description={t('watermarkHint')}
          maxLength={60}
          value={watermark}
          onChange={(event) => setWatermark(event.currentTarget.value)}
          error={at.watermark}
        />
      )}
      <Checkbox
        label={t('review')}
        description={t('reviewHint')}
        checked={review}
        onChange={(event) => setReview(event.currentTarget.checked)}
      />
      <NativeSelect
        label={t('lasts')}
        data={lifetimes.map((value) => ({ value: String(value), label: t('days', { days: value }) }))}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
      <PasswordInput
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        maxLength={1000}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={at.password}
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword'), tabIndex: 0 }}
      />
    </FormDialog>
  )
}
