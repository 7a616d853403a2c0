import { X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Place } from '../library/place.ts'
import { givesFocusUp } from '../ui/focus.ts'
import { useActiveFilters } from './filters.ts'

/** Each filter that was chosen in the panel, to be taken away by a click. */
export function ActiveFilters({ place, onGo }: { place: Place; onGo(change: Partial<Place>): void }) {
  const t = useTranslations('finding')
  return useActiveFilters(place).map(({ label, without }) => (
    <button
      key={label}
      ref={givesFocusUp}
      type="button"
      className="chip"
      aria-pressed
      aria-label={t('remove', { filter: label })}
      onClick={() => onGo(without)}
    >
      {label}
      <X size={14} aria-hidden />
    </button>
  ))
}
