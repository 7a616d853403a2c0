import { Check, X } from 'lucide-react'
import type { Suggestion } from '../../contract/suggestions.ts'
import { useSuggestionWords } from '../suggestions/words.ts'

export type Decide = (decision: 'accept' | 'decline') => void

/** What a model would write into a cell, below what stands there. */
export function SuggestedCell({
  id,
  suggestion: { field, text, model },
  onDecide,
}: {
  id: string
  suggestion: Suggestion
  onDecide: Decide
}) {
  const t = useSuggestionWords()
  const name = t.fields[field]
  return (
    <div className="sheet-suggested" title={`${model}. ${t.keys}`}>
      <span id={id}>
        <b>{t.suggested}</b> {text}
      </span>
      <button type="button" tabIndex={-1} aria-label={t.acceptOf(name)} onClick={() => onDecide('accept')}>
        <Check size={16} aria-hidden />
      </button>
      <button type="button" tabIndex={-1} aria-label={t.declineOf(name)} onClick={() => onDecide('decline')}>
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}

/** On a Mac, Option makes other letters of them. */
export function decisionOf({ altKey, ctrlKey, metaKey, key }: React.KeyboardEvent) {
  if (!altKey || ctrlKey || metaKey) return undefined
  if (/^[y¥]$/i.test(key)) return 'accept'
  return /^([n~]|Dead)$/i.test(key) ? 'decline' : undefined
}
