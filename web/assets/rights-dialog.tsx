import { useId, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { AssetSummary, Provenance } from '../../contract/assets.ts'
import { chosenCount } from '../library/selection.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useSummary } from './batch.ts'
import { origins } from './rights.tsx'
import { endOfDay, lastDayOf } from './rights-end.ts'
import type { RightsChange } from './use-actions.ts'
import './rights.css'

const ends = ['kept', 'open', 'day'] as const

/** Until when many assets may be used, and how they came about: what is not chosen here stays as each of them has it. */
export function RightsDialog({
  assetIds,
  onChange,
  onClose,
}: {
  assetIds: string[]
  onChange(change: RightsChange): void
  onClose(): void
}) {
  const t = useTranslations('rights')
  const { data: summary } = useSummary(assetIds)
  const now = useNow(summary)
  const ids = { end: useId(), day: useId(), origin: useId() }
  const [end, setEnd] = useState<(typeof ends)[number]>('kept')
  const [day, setDay] = useState('')
  const [origin, setOrigin] = useState<Provenance | ''>('')
  const [problem, setProblem] = useState<string | null>(null)

  function submit() {
    if (end === 'day' && !(day >= '1970')) return setProblem(t('dayNeeded'))
    if (end === 'kept' && !origin) return setProblem(t('nothingChosen'))
    onChange({
      ...(end !== 'kept' && { rightsExpireAt: end === 'day' ? endOfDay(day) : null }),
      ...(origin && { provenance: origin }),
    })
  }

  return (
    <FormDialog
      title={t('manyTitle', { count: chosenCount(assetIds) })}
      problem={problem}
      act={t('save')}
      busy={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="rights-choice">
        <label htmlFor={ids.end}>{t('until')}</label>
        <select
          id={ids.end}
          className="rights-field"
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value as typeof end)}
          data-autofocus
        >
          {ends.map((each) => (
            <option key={each} value={each}>
              {t(`ends.${each}`)}
            </option>
          ))}
        </select>
        {end === 'day' && (
          <input
            id={ids.day}
            type="date"
            className="rights-field"
            aria-label={t('lastDay')}
            max="9998-12-31"
            defaultValue={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        )}
        <small>{now.rights}</small>
      </div>
      <div className="rights-choice">
        <label htmlFor={ids.origin}>{t('origin')}</label>
        <select
          id={ids.origin}
          className="rights-field"
          value={origin}
          onChange={(event) => setOrigin(event.currentTarget.value as typeof origin)}
        >
          <option value="">{t('ends.kept')}</option>
          {origins.map((each) => (
            <option key={each} value={each}>
              {t(`origins.${each}`)}
            </option>
          ))}
        </select>
        <small>{now.origins}</small>
      </div>
    </FormDialog>
  )
}

/** How they are now, in words. */
function useNow(summary: AssetSummary | undefined): { rights: string; origins: string } {
  const t = useTranslations('rights')
  const format = useFormatter()
  if (!summary) return { rights: '', origins: '' }
  const { assets, provenances, rights } = summary
  const day = (end: string | null) =>
    end ? format.dateTime(lastDayOf(end), { dateStyle: 'medium' }) : undefined
  const [first, last] = [day(rights.first), day(rights.last)]
  const ending =
    first === last
      ? t('nowEnding', { count: rights.ending, day: first ?? '' })
      : t('nowEndingBetween', { count: rights.ending, first: first!, last: last! })
  const open = assets - rights.ending
  const inWords = (parts: string[]) => t('now', { parts: parts.join(' · ') })
  return {
    rights: inWords([
      ...(open > 0 ? [t('nowOpen', { count: open })] : []),
      ...(rights.ending > 0 ? [ending] : []),
    ]),
    origins: inWords(
      provenances.map(({ provenance, assets }) =>
        t('nowOrigin', { count: assets, origin: t(`origins.${provenance}`) }),
      ),
    ),
  }
}
