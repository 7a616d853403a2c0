import { type ApprovalState, approvalStates } from '../../contract/assets.ts'
import { type Orientation, orientations, type Ratio, ratios } from '../../contract/ratios.ts'
import {
  type AssetQuery,
  type AssetSearch,
  mostTagsSearched,
  type Sort,
  sorts,
  trashSorts,
} from '../../contract/search.ts'
import { isSearch } from '../../contract/searched-words.ts'
import type { Surface } from '../../contract/words.ts'

/** Where in a library a person is, as the address says it. Absent means the default. */
export interface Place {
  /** A folder id, or `trash`. */
  folder?: string
  /** A collection, in place of a folder. */
  collection?: string
  /** In the trash: the folder that is looked into. */
  inside?: string
  q?: string
  /** The saved search it was come by, however it was changed since. */
  saved?: string
  /** One, or all of these. */
  tag?: string | string[]
  /** Whether one who is in a folder looks there and below, or in the whole library. */
  scope?: 'below' | 'everywhere'
  /** Only what has the words, not what is similar to them in meaning. */
  meaning?: 'off'
  /** The words may also be those of the folders it is in. */
  byFolder?: true
  /** All of a kind, or one type: `image/png`. */
  type?: 'image' | 'video' | `${'image' | 'video'}/${string}`
  surface?: Surface
  alt?: 'missing'
  approval?: ApprovalState
  rights?: 'ending' | 'ended'
  uploader?: string
  /** Days, as the API takes them. */
  from?: string
  to?: string
  orientation?: Orientation
  ratio?: Ratio
  used?: 'yes' | 'no'
  minBytes?: number
  maxBytes?: number
  minWidth?: number
  minHeight?: number
  /** Whether there is another with the very same bytes. */
  duplicates?: 'yes' | 'no'
  sort?: Sort
  view?: 'grid' | 'list'
  /** The asset whose details are shown. */
  asset?: string
  /** The asset in the quick look: a step of its own, so that Back closes it. */
  look?: string
  /** What shows beside it from the start. */
  panel?: 'review'
}

const choices = {
  scope: ['below', 'everywhere'],
  meaning: ['off'],
  surface: ['website', 'social', 'gbp'],
  alt: ['missing'],
  approval: approvalStates,
  panel: ['review'],
  rights: ['ending', 'ended'],
  orientation: orientations,
  ratio: ratios,
  used: ['yes', 'no'],
  duplicates: ['yes', 'no'],
  sort: [...sorts, ...trashSorts],
  view: ['grid', 'list'],
} as const satisfies { [Name in keyof Place]: readonly NonNullable<Place[Name]>[] }

/** Reads an address; what makes no sense is left out rather than refused. */
export function readPlace(search: Record<string, unknown>): Place {
  const place: Record<string, string | number | boolean | string[]> = {}
  for (const name of ['folder', 'collection', 'inside', 'q', 'saved', 'uploader', 'asset', 'look'] as const) {
    const value = search[name]
    if (value !== undefined && String(value).trim() !== '') place[name] = String(value)
  }
  if (!isSearch(String(place.q ?? ''))) delete place.q
  for (const name of ['from', 'to'] as const)
    if (/^[1-9]\d{3}-\d\d-\d\d$/.test(String(search[name]))) place[name] = String(search[name])
  for (const name of ['minBytes', 'maxBytes', 'minWidth', 'minHeight'] as const)
    if (Number.isSafeInteger(search[name]) && Number(search[name]) > 0) place[name] = Number(search[name])
  if (search.byFolder === true) place.byFolder = true
  if (/^(image|video)(\/[\w.+-]{1,60})?$/.test(String(search.type))) place.type = String(search.type)
  for (const [name, known] of Object.entries(choices)) {
    const value = search[name]
    if ((known as readonly unknown[]).includes(value)) place[name] = String(value)
  }
  if (place.folder !== 'trash' && isOfTrash(place.sort as Place['sort'])) delete place.sort
  return { ...place, ...withTags([search.tag ?? []].flat().map(String)) }
}

export const tagsOf = ({ tag = [] }: Place): string[] => [tag].flat()

/** One stands in the address as it is. */
export function withTags(tags: string[]): Pick<Place, 'tag'> {
  const some = [...new Set(tags.filter(Boolean))].slice(0, mostTagsSearched)
  return some.length === 0 ? {} : { tag: some.length === 1 ? some[0]! : some }
}

export const inTrash = (place: Place) => place.folder === 'trash'

/** From wherever one is, with what is looked for. */
export const intoTrash: Partial<Place> = {
  folder: 'trash',
  inside: undefined,
  collection: undefined,
  scope: undefined,
  byFolder: undefined,
  saved: undefined,
}

/** What narrows a list down, by itself or with others. */
export const filterNames = [
  'q',
  'tag',
  'type',
  'surface',
  'alt',
  'approval',
  'rights',
  'uploader',
  'from',
  'to',
  'orientation',
  'ratio',
  'used',
  'minBytes',
  'maxBytes',
  'minWidth',
  'minHeight',
  'duplicates',
] as const satisfies (keyof Place)[]

/** How many filters are on: each tag is one, words are none. */
export const countFilters = (place: Place) =>
  filterNames.filter((name) => name !== 'q' && name !== 'tag' && place[name]).length + tagsOf(place).length

export const isFiltered = (place: Place) => filterNames.some((name) => place[name])

export const unfiltered: Partial<Place> = Object.fromEntries(
  [...filterNames, 'scope', 'meaning', 'byFolder', 'saved'].map((name) => [name, undefined]),
)

export const withoutWords: Partial<Place> = { q: undefined, meaning: undefined, byFolder: undefined }

/** Without its filters; words stay, and with them where and how they look. */
export const withoutFilters = ({ q, scope, meaning, byFolder }: Place): Partial<Place> =>
  q ? { ...unfiltered, q, scope, meaning, byFolder } : unfiltered

/** Where one is after a change. Whether one looks below a folder was chosen for that folder, and ends with it. */
export function placeAfter(now: Place, change: Partial<Place>): Place {
  const next = { ...now, ...change }
  const isElsewhere = next.folder !== now.folder || next.collection !== now.collection
  return isElsewhere && !change.scope ? { ...next, scope: undefined } : next
}

/**
 * Words and tags look through the whole library, or through all of the trash; filters look in the folder one is in and
 * below it. Whoever is in a folder may want it otherwise.
 */
export const looksEverywhere = (place: Place) =>
  !place.collection &&
  !looksBelow(place) &&
  (hasWordsOrTags(place) || (isFiltered(place) && !(inTrash(place) && place.inside)))

export const looksBelow = (place: Place) =>
  !!place.folder &&
  !place.collection &&
  !inTrash(place) &&
  isFiltered(place) &&
  (place.scope ? place.scope === 'below' : !hasWordsOrTags(place))

export const hasWordsOrTags = ({ q, tag }: Place) => !!q || !!tag

/** What is looked for beside what is shown is looked for nowhere else. */
export const whereItLooked = (place: Place): Pick<Place, 'scope'> =>
  looksBelow(place) ? { scope: 'below' } : {}

/** What is found may come from many folders. */
export const looksFurther = (place: Place) =>
  !!place.collection || looksEverywhere(place) || looksBelow(place)

export const mayLookByFolder = (place: Place) => !!place.q && looksFurther(place) && !inTrash(place)

export const looksByFolder = (place: Place) => !!place.byFolder && mayLookByFolder(place)

/** The order that is shown where none is asked for. */
export const unaskedSort = (place: Place, isUnranked = false): Sort => {
  if (place.q) return isUnranked ? 'newest' : 'relevance'
  return inTrash(place) ? 'trashed' : 'newest'
}

const isOfTrash = (sort: Sort | undefined) => trashSorts.some((one) => one === sort)

/** Those that can be chosen here. */
export const sortsOf = (place: Place): readonly Sort[] => {
  const ranked = sorts.filter((sort) => sort !== 'relevance')
  return inTrash(place) ? [...trashSorts, ...ranked] : ranked
}

/** A collection in the order it was put in. */
export const isByHand = ({ collection, sort, q }: Place) => !!collection && !sort && !q

/** Tells one place from another: all of it but what is only a way to look at it. */
export const placeKeyOf = (place: Place) =>
  JSON.stringify({
    ...place,
    asset: undefined,
    look: undefined,
    panel: undefined,
    saved: undefined,
    view: undefined,
    sort: undefined,
  })

/** The folder that is looked into, in the trash or not. */
const folderOf = (place: Place) => (inTrash(place) ? place.inside : place.folder)

/** The place where a search is answered. */
export function placeOf(search: AssetSearch): Place {
  const { folderId, collectionId, q, tag, surface } = search
  return {
    ...unfiltered,
    folder: search.trashed ? 'trash' : folderId,
    inside: search.trashed ? folderId : undefined,
    collection: collectionId,
    scope: search.below ? 'below' : undefined,
    meaning: search.meaning === false ? 'off' : undefined,
    byFolder: search.byFolder || undefined,
    q,
    tag,
    type: search.mimeType?.replace(/\/\*$/, '') as Place['type'],
    surface,
    alt: search.missingAltText ? 'missing' : undefined,
    approval: search.approval,
    rights: search.rights,
    uploader: search.uploader,
    from: search.from,
    to: search.to,
    orientation: search.orientation,
    ratio: search.ratio,
    used: yesOrNo(search.used),
    minBytes: search.minBytes,
    maxBytes: search.maxBytes,
    minWidth: search.minWidth,
    minHeight: search.minHeight,
    duplicates: yesOrNo(search.duplicates),
    sort: search.sort,
  }
}

const yesOrNo = (is: boolean | undefined) => (is === undefined ? undefined : is ? 'yes' : 'no')

export function queryOf(place: Place): AssetQuery {
  return {
    folderId: looksEverywhere(place) || place.collection ? undefined : folderOf(place),
    collectionId: place.collection,
    trashed: inTrash(place) || undefined,
    everywhere: looksEverywhere(place) || undefined,
    below: looksBelow(place) || undefined,
    q: place.q,
    meaning: place.q && place.meaning === 'off' ? false : undefined,
    byFolder: looksByFolder(place) || undefined,
    tag: place.tag,
    mimeType: place.type && (place.type.includes('/') ? place.type : `${place.type}/*`),
    surface: place.surface,
    missingAltText: place.alt === 'missing' || undefined,
    approval: place.approval,
    rights: place.rights,
    uploader: place.uploader,
    from: place.from,
    to: place.to,
    orientation: place.orientation,
    ratio: place.ratio,
    used: place.used && place.used === 'yes',
    minBytes: place.minBytes,
    maxBytes: place.maxBytes,
    minWidth: place.minWidth,
    minHeight: place.minHeight,
    duplicates: place.duplicates && place.duplicates === 'yes',
    sort: place.sort,
  }
}
