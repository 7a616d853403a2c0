import { useTranslations } from 'use-intl'
import { inTrash, looksBelow, looksFurther, type Place } from '../../library/place.ts'

/** What was asked for and where it is looked for; in a folder one may stay there and below. */
export function SearchScope({
  place,
  here,
  meant,
  hasMeaning,
  onGo,
}: {
  place: Place
  here: string
  /** The words that were looked for instead. */
  meant: string | undefined
  /** What is similar in meaning was looked for, too. */
  hasMeaning: boolean
  onGo(change: Partial<Place>): void
}) {
  const t = useTranslations('library')
  const finding = useTranslations('finding')
  const tile = useTranslations('tile')
  const below = looksBelow(place)
  const mayStay = !!place.folder && !inTrash(place)
  const mayMean = !!place.q && (hasMeaning || place.meaning === 'off')
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
      {mayMean && (
        <label>
          <input
            type="checkbox"
            checked={place.meaning !== 'off'}
            onChange={() => onGo({ meaning: place.meaning === 'off' ? undefined : 'off' })}
          />
          {tile('alsoSimilar')}
        </label>
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
