import { expect, test } from 'vitest'
import { AssetSearch } from '../../contract/search.ts'
import { filterNames, type Place, placeOf, queryOf, readPlace } from '../library/place.ts'
import { activeFilters, type FilterWords } from './active.ts'
import { quickFilters } from './quick-filters.ts'

/** Where is looked, how far and in which order: these say so by themselves, on a page of their own. */
const places = [
  'folderId',
  'collectionId',
  'everywhere',
  'below',
  'trashed',
  'sort',
  'meaning',
  'byFolder',
] as const
/** Words stand in the search box; each tag is a chip. */
const inSight = ['q', 'tag'] as const

/** Each filter of the contract in use. A new one needs a place in the address, a control in the panel and a chip. */
const samples: { [Name in Exclude<keyof AssetSearch, (typeof places)[number]>]-?: AssetSearch[Name][] } = {
  q: ['pier'],
  tag: ['summer', ['summer', 'menu']],
  surface: ['gbp'],
  mimeType: ['video/*', 'image/png'],
  uploader: ['user_1'],
  from: ['2026-01-02'],
  to: ['2026-01-03'],
  orientation: ['square'],
  ratio: ['4:5'],
  minBytes: [1_000_000],
  maxBytes: [2_000_000],
  minWidth: [1920],
  minHeight: [1080],
  missingAltText: [true],
  approval: ['none', 'approved'],
  rights: ['ended'],
  used: [true, false],
  duplicates: [true, false],
}

const said = new Proxy(
  {},
  { get: (_, name) => (value: unknown) => `${String(name)} ${value}` },
) as FilterWords

test('every filter that the API knows stands in the address, and is a chip that takes it away', () => {
  const filters = Object.keys(AssetSearch.properties).filter(
    (name) => !(places as readonly string[]).includes(name),
  )
  expect(Object.keys(samples).sort()).toEqual(filters.sort())
  for (const [name, values] of Object.entries(samples))
    for (const value of values) {
      const what = `${name}: ${value}`
      const place = placeOf({ [name]: value })
      const written = JSON.parse(JSON.stringify(place)) as Place
      expect(readPlace(written as Record<string, unknown>), `${what} in the address`).toEqual(written)
      expect(queryOf(written)[name as keyof AssetSearch], `${what} is asked for`).toEqual(value)
      const [as, ...others] = Object.keys(written) as (keyof Place)[]
      expect(others, what).toEqual([])
      expect(filterNames, `${what} is cleared with all others`).toContain(as)
      const chips = [
        ...activeFilters(written, said).map((chip) => chip.name),
        ...quickFilters.flatMap((quick: Partial<Place>) =>
          quick[as!] === written[as!] && quick[as!] ? [as] : [],
        ),
        ...inSight.filter((one) => one === as),
      ]
      expect(chips, `${what} has one chip`).toEqual([as])
    }
})

test('that words may be those of folders is a chip, too, while there are words', () => {
  const place: Place = { q: 'pier', byFolder: true }
  expect(activeFilters(place, said).map(({ name }) => name)).toEqual(['byFolder'])
  expect(activeFilters({ ...place, q: undefined }, said)).toEqual([])
})
