import type { ApprovalState } from '../../contract/assets.ts'
import type { Orientation, Ratio } from '../../contract/ratios.ts'
import { looksByFolder, type Place } from '../library/place.ts'
import { quickFilters } from './quick-filters.ts'

/** How a filter is called. */
export interface FilterWords {
  byFolder(): string
  uploader(id: string): string
  day(day: string): string
  from(day: string): string
  to(day: string): string
  orientation(is: Orientation): string
  ratio(is: Ratio): string
  approval(is: ApprovalState): string
  type(mimeType: string): string
  over(bytes: number): string
  under(bytes: number): string
  wide(pixels: number): string
  high(pixels: number): string
  used(is: boolean): string
  duplicates(is: boolean): string
}

/** The others that are on, each in words and under the name by which it is taken away. Words and tags are chips by themselves. */
export function activeFilters(place: Place, words: FilterWords): { label: string; name: keyof Place }[] {
  const filters: { label: string; name: keyof Place }[] = []
  const say = <Name extends keyof Place>(name: Name, of: (value: NonNullable<Place[Name]>) => string) => {
    const value = place[name]
    if (value && !quickFilters.some((quick: Partial<Place>) => quick[name] === value))
      filters.push({ label: of(value as NonNullable<Place[Name]>), name })
  }
  if (looksByFolder(place)) say('byFolder', words.byFolder)
  say('type', words.type)
  say('approval', words.approval)
  say('uploader', words.uploader)
  say('from', (day) => words.from(words.day(day)))
  say('to', (day) => words.to(words.day(day)))
  say('orientation', words.orientation)
  say('ratio', words.ratio)
  say('minBytes', words.over)
  say('maxBytes', words.under)
  say('minWidth', words.wide)
  say('minHeight', words.high)
  say('used', (used) => words.used(used === 'yes'))
  say('duplicates', (duplicates) => words.duplicates(duplicates === 'yes'))
  return filters
}
