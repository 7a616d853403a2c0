import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { SavedSearch } from '../../contract/saved-searches.ts'
import type { Place } from '../library/place.ts'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { searchOf, useSavingSearches } from './saved-searches.ts'
import './update-search.css'

/** Lets a saved search ask for what is looked for here. */
export function UpdateSearch({ saved, place }: { saved: SavedSearch; place: Place }) {
  const t = useTranslations('finding')
  const failed = useTranslations('failed')
  const problemText = useProblemText()
  const undo = useUndo()
  const { change } = useSavingSearches()
  const { savedSearchId, name, search: before } = saved
  const updating = useMutation({
    mutationFn: () => undoAwaits(change(savedSearchId, { search: searchOf(place) })),
    onSuccess: () => undo.offer(t('changed', { name }), () => change(savedSearchId, { search: before })),
    onError: (error) =>
      toast({ about: 'saved-search', text: `${failed('notDone')} ${problemText(error)}`, bad: true }),
  })
  const label = t('update', { name })
  return (
    <button
      type="button"
      className="chip chip-clear update-search"
      title={label}
      disabled={updating.isPending}
      onClick={() => updating.mutate()}
    >
      <RefreshCw size={14} aria-hidden />
      <span>{label}</span>
    </button>
  )
}
