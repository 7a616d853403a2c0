import { Bookmark, SlidersHorizontal, Tag, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isFiltered, type Place, tagsOf, unfiltered, withTags } from '../../library/place.ts'

const ActiveFilters = lazy(() =>
  import('../../finding/active-filters.tsx').then((room) => ({ default: room.ActiveFilters })),
)
const FilterPanel = lazy(() =>
  import('../../finding/filter-panel.tsx').then((room) => ({ default: room.FilterPanel })),
)
const SaveDialog = lazy(() =>
  import('../../finding/save-dialog.tsx').then((room) => ({ default: room.SaveDialog })),
)

/** Those that are chosen in the panel. */
const ofPanel = [
  'uploader',
  'from',
  'to',
  'orientation',
  'ratio',
  'used',
  'minBytes',
  'maxBytes',
  'minWidth',
] as const

/** The filters, each on or off, all of them in the address. */
export function FilterChips({ place, onGo }: { place: Place; onGo(change: Partial<Place>): void }) {
  const t = useTranslations('library')
  const surfaces = useTranslations('surfaces')
  const review = useTranslations('review.states')
  const finding = useTranslations('finding')
  const [open, setOpen] = useState<'panel' | 'save' | null>(null)
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
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setOpen('panel')}>
        <SlidersHorizontal size={14} aria-hidden />
        {finding('more')}
      </button>
      {tagsOf(place).map((tag) => (
        <button
          key={tag}
          type="button"
          className="chip"
          aria-pressed
          aria-label={t('clearTag', { tag })}
          onClick={() =>
            onGo({ tag: undefined, ...withTags(tagsOf(place).filter((other) => other !== tag)) })
          }
        >
          <Tag size={14} aria-hidden />
          {tag}
          <X size={14} aria-hidden />
        </button>
      ))}
      {ofPanel.some((name) => place[name]) && (
        <Suspense>
          <ActiveFilters place={place} onGo={onGo} />
        </Suspense>
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
        <span className="chips-end">
          <button type="button" className="chip chip-clear" onClick={() => onGo(unfiltered)}>
            <X size={14} aria-hidden />
            {t('clearFilters')}
          </button>
          <button type="button" className="chip chip-clear" onClick={() => setOpen('save')}>
            <Bookmark size={14} aria-hidden />
            {finding('save')}
          </button>
        </span>
      )}
      <Suspense>
        {open === 'panel' && <FilterPanel place={place} onGo={onGo} onClose={() => setOpen(null)} />}
        {open === 'save' && <SaveDialog place={place} onClose={() => setOpen(null)} />}
      </Suspense>
    </fieldset>
  )
}
