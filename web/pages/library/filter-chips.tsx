import { Bookmark, SlidersHorizontal, Tag, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { quickFilters } from '../../finding/quick-filters.ts'
import { useQuickWords } from '../../finding/quick-words.ts'
import { useOpenedSearch, useOpenSearches } from '../../finding/saved-searches.ts'
import {
  countFilters,
  isFiltered,
  looksByFolder,
  type Place,
  tagsOf,
  withoutFilters,
  withTags,
} from '../../library/place.ts'
import { givesFocusUp } from '../../ui/focus.ts'
import { partOf } from '../../ui/part.ts'

const ActiveFilters = partOf(() => import('../../finding/active-filters.tsx'), 'ActiveFilters')
const FilterPanel = partOf(() => import('../../finding/filter-panel.tsx'), 'FilterPanel')
const SaveDialog = partOf(() => import('../../finding/save-dialog.tsx'), 'SaveDialog')
const UpdateSearch = partOf(() => import('../../finding/update-search.tsx'), 'UpdateSearch')

/** The filters, each on or off, all of them in the address. */
export function FilterChips({
  place,
  onGo,
}: {
  place: Place
  onGo(change: Partial<Place>, options?: { replace?: boolean }): void
}) {
  const t = useTranslations('library')
  const quickWords = useQuickWords()
  const finding = useTranslations('finding')
  const [open, setOpen] = useState<'panel' | 'save' | null>(null)
  const count = countFilters(place)
  const isSaved = useOpenSearches(place).some(({ search }) => search.sort === place.sort)
  const opened = useOpenedSearch(place)
  return (
    <fieldset className="chips" data-filtered={isFiltered(place)} aria-label={t('filters')}>
      <button
        type="button"
        className="chip chip-more"
        aria-haspopup="dialog"
        onClick={() => setOpen('panel')}
      >
        <SlidersHorizontal size={14} aria-hidden />
        {finding('more')}
        {count > 0 && (
          <span className="chip-count">
            <span aria-hidden>{count}</span>
            <span className="unseen">{finding('on', { count })}</span>
          </span>
        )}
      </button>
      <div className="chips-row">
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
        {(count > 0 || looksByFolder(place)) && (
          <Suspense>
            <ActiveFilters place={place} onGo={onGo} />
          </Suspense>
        )}
        {quickFilters.map((is) => {
          const [[name, value]] = Object.entries(is) as [[keyof Place, string]]
          const on = place[name] === value
          return (
            <button
              key={value}
              type="button"
              className="chip"
              aria-pressed={on}
              onClick={() => onGo(on ? { [name]: undefined } : is)}
            >
              {quickWords[value]}
            </button>
          )
        })}
      </div>
      {isFiltered(place) && (
        <span className="chips-end">
          {count > 0 && (
            <button
              type="button"
              className="chip chip-clear"
              title={t('clearFilters')}
              onClick={() => onGo(withoutFilters(place))}
            >
              <X size={14} aria-hidden />
              <span>{t('clearFilters')}</span>
            </button>
          )}
          {!isSaved && opened && (
            <Suspense>
              <UpdateSearch saved={opened} place={place} />
            </Suspense>
          )}
          {!isSaved && (
            <button
              // A search that is saved needs it no longer.
              ref={givesFocusUp}
              type="button"
              className="chip chip-clear"
              title={finding(opened ? 'saveNew' : 'save')}
              onClick={() => setOpen('save')}
            >
              <Bookmark size={14} aria-hidden />
              <span>{finding(opened ? 'saveNew' : 'save')}</span>
            </button>
          )}
        </span>
      )}
      <Suspense>
        {open === 'panel' && <FilterPanel place={place} onGo={onGo} onClose={() => setOpen(null)} />}
        {open === 'save' && (
          <SaveDialog
            place={place}
            onSaved={({ savedSearchId }) => onGo({ saved: savedSearchId }, { replace: true })}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </fieldset>
  )
}
