import { Tag, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { isFiltered, type Place, unfiltered } from '../../library/place.ts'

/** The filters, each on or off, all of them in the address. */
export function FilterChips({ place, onGo }: { place: Place; onGo(change: Partial<Place>): void }) {
  const t = useTranslations('library')
  const surfaces = useTranslations('surfaces')
  const review = useTranslations('review.states')
  const chips: { label: string; is: Partial<Place> }[] = [
    { label: t('images'), is: { type: 'image' } },
    { label: t('videos'), is: { type: 'video' } },
    { label: surfaces('website'), is: { surface: 'website' } },
    { label: surfaces('social'), is: { surface: 'social' } },
    { label: surfaces('gbp'), is: { surface: 'gbp' } },
    { label: t('noAltText'), is: { alt: 'missing' } },
    { label: review('pending'), is: { approval: 'pending' } },
    { label: review('approved'), is: { approval: 'approved' } },
    { label: review('changes-requested'), is: { approval: 'changes-requested' } },
    { label: t('rightsEnding'), is: { rights: 'ending' } },
    { label: t('rightsEnded'), is: { rights: 'ended' } },
  ]
  return (
    <fieldset className="chips" aria-label={t('filters')}>
      {place.tag && (
        <button
          type="button"
          className="chip"
          aria-pressed
          aria-label={t('clearTag', { tag: place.tag })}
          onClick={() => onGo({ tag: undefined })}
        >
          <Tag size={14} aria-hidden />
          {place.tag}
          <X size={14} aria-hidden />
        </button>
      )}
      {chips.map(({ label, is }) => {
        const [[name, value]] = Object.entries(is) as [[keyof Place, string]]
        const on = place[name] === value
        return (
          <button
            key={label}
            type="button"
            className="chip"
            aria-pressed={on}
            onClick={() => onGo(on ? { [name]: undefined } : is)}
          >
            {label}
          </button>
        )
      })}
      {isFiltered(place) && (
        <button type="button" className="chip chip-clear" onClick={() => onGo(unfiltered)}>
          <X size={14} aria-hidden />
          {t('clearFilters')}
        </button>
      )}
    </fieldset>
  )
}
