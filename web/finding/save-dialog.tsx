import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SavedSearch } from '../../contract/saved-searches.ts'
import { useLibrary } from '../library/library.tsx'
import type { Place } from '../library/place.ts'
import { useUndo } from '../library/undo.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { searchOf, useSavingSearches } from './saved-searches.ts'

/** Names a search and says who sees it: what is looked for here, or one that was saved. */
export function SaveDialog({
  place,
  saved,
  onSaved,
  onClose,
}: {
  place: Place
  saved?: SavedSearch | undefined
  onSaved?(search: SavedSearch): void
  onClose(): void
}) {
  const t = useTranslations('finding')
  const access = useTranslations('access')
  const problemText = useProblemText()
  const { can } = useLibrary()
  const { save, change } = useSavingSearches()
  const undo = useUndo()
  const [name, setName] = useState(saved?.name ?? place.q ?? '')
  const [isForAll, setForAll] = useState(saved?.for === 'client')
  const [tried, setTried] = useState(false)
  const saving = useMutation({
    mutationFn: () => {
      const words = { name: name.trim(), for: isForAll ? 'client' : 'me' } as const
      return saved ? change(saved.savedSearchId, words) : save({ ...words, search: searchOf(place) })
    },
    onSuccess: (now) => {
      if (saved) offerBack(saved, now)
      else toast({ about: 'saved-search', text: t('saved', { name: now.name }) })
      onClose()
      onSaved?.(now)
    },
  })

  function offerBack({ savedSearchId, name: before, for: whose }: SavedSearch, now: SavedSearch) {
    if (now.name === before && now.for === whose) return
    undo.offer(t('changed', { name: now.name }), () => change(savedSearchId, { name: before, for: whose }))
  }

  return (
    <FormDialog
      title={t(saved ? 'change' : 'save')}
      problem={null}
      act={t('saveAct')}
      busy={saving.isPending}
      onSubmit={() => {
        setTried(true)
        if (name.trim()) saving.mutate()
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        required
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={tried && !name.trim() ? access('required') : saving.error && problemText(saving.error)}
        data-autofocus
        // It stands there as it was searched for: what is typed takes its place.
        onFocus={(event) => event.currentTarget.select()}
      />
      {can('assets:write') && (
        <Checkbox
          label={t('forAll')}
          checked={isForAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}
