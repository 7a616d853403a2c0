import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Collection } from '../../contract/collections.ts'
import { Confirm } from '../ui/confirm.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useCollecting } from './collections.ts'

/** Names a collection: a new one, or one that is there. */
export function NameDialog({
  collection,
  onDone,
  onClose,
}: {
  collection?: Collection | undefined
  onDone(collectionId: string): void
  onClose(): void
}) {
  const t = useTranslations('collections')
  const access = useTranslations('access')
  const problemText = useProblemText()
  const { create, rename } = useCollecting()
  const [name, setName] = useState(collection?.name ?? '')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => (collection ? rename(collection.collectionId, name.trim()) : create(name.trim())),
    onSuccess: ({ collectionId }) => onDone(collectionId),
  })
  return (
    <FormDialog
      title={t(collection ? 'rename' : 'new')}
      problem={null}
      act={t(collection ? 'save' : 'make')}
      busy={save.isPending}
      onSubmit={() => {
        setTried(true)
        if (name.trim()) save.mutate()
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        required
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={tried && !name.trim() ? access('required') : save.error && problemText(save.error)}
        data-autofocus
      />
    </FormDialog>
  )
}

export function DeleteDialog({
  collection,
  onClose,
}: {
  collection: Collection
  onClose(isGone?: true): void
}) {
  const t = useTranslations('collections')
  const { remove } = useCollecting()
  const removing = useMutation({ mutationFn: remove, onSuccess: () => onClose(true) })
  return (
    <Confirm
      title={t('deleteTitle', { name: collection.name })}
      text={t('deleteText')}
      button={t('delete')}
      error={removing.error}
      isPending={removing.isPending}
      onConfirm={() => removing.mutate(collection)}
      onClose={onClose}
    />
  )
}
