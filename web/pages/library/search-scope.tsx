import { useTranslations } from 'use-intl'
import { inTrash, isFiltered, looksBelow, looksFurther, type Place } from '../../library/place.ts'

/** What was asked for and where it is looked for; in a folder one may stay there and below. */
export function SearchScope({
  place,
  here,
  meant,
  onGo,
}: {
  place: Place
  here: string
  /** The words that were looked for instead. */
  meant: string | undefined
  onGo(change: Partial<Place>): void
}) {
  const t = useTranslations('library')
  const finding = useTranslations('finding')
  if (!isFiltered(place)) return null
  const below = looksBelow(place)
  const mayStay = !!place.folder && !inTrash(place)
  if (!place.q && !mayStay) return null
  return (
    <div className="results">
      {place.q && (
        <span>
          {meant ? finding('meant', { q: place.q, meant }) : t('results', { q: place.q })}{' '}
          {looksFurther(place) && !below && t(inTrash(place) ? 'inTrash' : 'everywhere')}
        </span>
      )}
      {mayStay && (
        <label>
          <input
            type="checkbox"
            checked={below}
            onChange={() => onGo({ scope: below ? undefined : 'below' })}
          />
          {t('below', { folder: here })}
        </label>
      )}
    </div>
  )
}
