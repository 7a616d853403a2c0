import { sql } from 'kysely'
import type { AssetSearch } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { havingKnown } from './known-words.ts'
import { and, type Condition, inPlace, or, type Search } from './search.ts'
import { hasAll, hasSome, seen } from './sought.ts'

/**
 * What follows from a search in the words of an index (0080-facets.sql). It leaves out nothing that the search means; it
 * may let through more. Of the trash there is none. Only where few are expected: to look at each asset this way takes long.
 */
export function indexed(library: Library, query: Search, told = seen): Condition[] {
  if (query.trashed) return []
  const facets = facetsOf(query)
  return [
    ...(query.near ? [] : havingIndexedWords(library, query, told)),
    ...(facets.length > 0 ? [hasAll(library, itsFacets, facets, told)] : []),
    ...someOf(query).map((some) => hasSome(library, itsFacets, some, told)),
  ]
}

function havingIndexedWords(library: Library, { known, placed }: Search, told: typeof seen): Condition[] {
  if (!placed) return known ? havingKnown(library, known, told) : []
  const ofEach = placed.map((one) => {
    const words = havingKnown(library, one.known)
    return words.length > 0 ? words : inPlace(one)
  })
  return ofEach.every((its) => its.length > 0) ? [or(ofEach.map(and))] : []
}

/** The rest of a search: what no word of that index tells. */
export function withoutFacets(query: Search): Search {
  if (query.trashed) return query
  const { mimeType, uploader, orientation, ratio, approval, missingAltText, minWidth, minHeight, ...rest } =
    query
  return { ...rest, ...(rest.known && !rest.near && { q: undefined, placed: undefined }) }
}

/** Of a search what its indexes tell, and tags. */
export function facetsAlone(query: Search): Search {
  const { q, tag, surface, mimeType, uploader, orientation, ratio, approval, minWidth, minHeight } = query
  const { missingAltText } = query
  const file = { mimeType, uploader, orientation, ratio, minWidth, minHeight }
  return { everywhere: true, q, tag, surface, approval, missingAltText, ...file }
}

const itsFacets = sql`facets_of(mime_type, created_by, width, height, alt_text, approval, allowed_surfaces)`

function facetsOf({ mimeType, ...query }: AssetSearch): string[] {
  const { uploader, orientation, ratio, approval } = query
  return [
    mimeType && (mimeType.endsWith('/*') ? `kind ${mimeType.slice(0, -2)}` : `type ${mimeType}`),
    uploader !== undefined && `uploader ${uploader}`,
    orientation && `orientation ${orientation}`,
    ratio && `ratio ${ratio}`,
    approval && `approval ${approval}`,
    query.missingAltText && 'without alt text',
  ].filter((facet) => typeof facet === 'string' && facet !== '') as string[]
}

const someOf = ({ surface, minWidth, minHeight }: AssetSearch): string[][] => [
  ...(surface ? [['any surface', `surface ${surface}`]] : []),
  ...(minWidth === undefined ? [] : [atLeast('width', minWidth)]),
  ...(minHeight === undefined ? [] : [atLeast('height', minHeight)]),
]

const atLeast = (side: string, pixels: number) => {
  const bits = pixels.toString(2).length
  return Array.from({ length: 32 - bits }, (_, more) => `${side} ${bits + more}`)
}
