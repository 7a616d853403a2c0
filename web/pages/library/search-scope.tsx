import { useTranslations } from 'use-intl'
import { inTrash, looksBelow, looksFurther, type Place } from '../../library/place.ts'

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
  const below = looksBelow(place)
  const mayStay = !!place.folder && !inTrash(place)
  if (!place.q && !mayStay) return null
  const where =
    looksFurther(place) && !below && !place.collection ? t(inTrash(place) ? 'inTrash' : 'everywhere') : ''
  return (
    <div className="results">
      {place.q && (
        <span>
          {meant
            ? finding(where ? (inTrash(place) ? 'meantInTrash' : 'meantEverywhere') : 'meant', {
                q: place.q,
                meant,
              })
            : `${t('results', { q: place.q })} ${where}`}
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
