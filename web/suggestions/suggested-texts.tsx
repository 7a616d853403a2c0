import { Button } from '@mantine/core'
import { Check, Pencil, Sparkles, X } from 'lucide-react'
import { useState } from 'react'
import { useFormatter } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { type Suggestion, suggestedFields } from '../../contract/suggestions.ts'
import { Section } from '../assets/section.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { isOffered, useAsk, useDecide, useSuggestions } from './suggestions.ts'
import { useSuggestionWords } from './words.ts'
import './suggestions.css'

/** What a model would write of an asset. Where none may be asked, there is nothing to be seen. */
export function SuggestedTexts({ asset }: { asset: Asset }) {
  const t = useSuggestionWords()
  const problemText = useProblemText()
  const page = useSuggestions(asset)
  const ask = useAsk(asset)
  if (!page || !isOffered(page)) return null
  const inOrder = ({ field }: Suggestion) => suggestedFields.indexOf(field)
  const suggestions = page.suggestions.toSorted((a, b) => inOrder(a) - inOrder(b))
  return (
    <Section title={t.title} {...(suggestions.length > 0 && { hint: t.hint })}>
      {suggestions.length > 0 && (
        <ul className="suggested">
          {suggestions.map((suggestion) => (
            <Suggested key={suggestion.suggestionId} asset={asset} suggestion={suggestion} />
          ))}
        </ul>
      )}
      {page.model !== null && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Sparkles size={14} aria-hidden />}
          loading={ask.isPending}
          onClick={() => ask.mutate()}
        >
          {suggestions.length > 0 ? t.askAgain : t.ask}
        </Button>
      )}
      <p className="suggested-state" role="status">
        {ask.isPending ? t.asking : ask.isSuccess && ask.data.made === 0 ? t.nothing : ''}
      </p>
      {ask.error && (
        <p className="details-nudge details-bad" role="alert">
          {problemText(ask.error)}
        </p>
      )}
    </Section>
  )
}

function Suggested({ asset, suggestion }: { asset: Asset; suggestion: Suggestion }) {
  const t = useSuggestionWords()
  const format = useFormatter()
  const problemText = useProblemText()
  const decide = useDecide(asset)
  const [edited, setEdited] = useState<string | null>(null)
  const { field, text, model, createdAt, changedSince, current } = suggestion
  const name = t.fields[field]
  const day = format.dateTime(new Date(createdAt), { dateStyle: 'medium' })
  const accept = (words?: string) =>
    decide.mutate({ suggestion, decision: 'accept', ...(words !== undefined && { text: words }) })
  return (
    <li>
      <span className="suggested-of">{name}</span>
      {edited === null ? (
        <p>{text}</p>
      ) : (
        <textarea
          aria-label={t.editOf(name)}
          data-mantine-stop-propagation
          rows={3}
          maxLength={2000}
          value={edited}
          // biome-ignore lint/a11y/noAutofocus: whoever asked to edit it types next
          autoFocus
          onChange={(event) => setEdited(event.currentTarget.value)}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') setEdited(null)
          }}
        />
      )}
      {changedSince && <small className="suggested-since">{t.changedSince(current)}</small>}
      <small>{t.by(model, day)}</small>
      <div className="suggested-acts">
        {edited === null ? (
          <>
            <Button
              size="compact-xs"
              leftSection={<Check size={12} aria-hidden />}
              aria-label={t.acceptOf(name)}
              loading={decide.isPending}
              onClick={() => accept()}
            >
              {t.accept}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Pencil size={12} aria-hidden />}
              aria-label={t.editOf(name)}
              onClick={() => setEdited(text)}
            >
              {t.edit}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<X size={12} aria-hidden />}
              aria-label={t.declineOf(name)}
              disabled={decide.isPending}
              onClick={() => decide.mutate({ suggestion, decision: 'decline' })}
            >
              {t.decline}
            </Button>
          </>
        ) : (
          <>
            <Button
              size="compact-xs"
              loading={decide.isPending}
              disabled={!edited.trim()}
              onClick={() => accept(edited)}
            >
              {t.save}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => setEdited(null)}>
              {t.cancel}
            </Button>
          </>
        )}
      </div>
      {decide.error && (
        <p className="details-nudge details-bad" role="alert">
          {problemText(decide.error)}
        </p>
      )}
    </li>
  )
}
