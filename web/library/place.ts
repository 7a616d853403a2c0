import type { ApprovalState } from '../../contract/assets.ts'
import { type AssetQuery, type Sort, sorts } from '../../contract/search.ts'
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
  tag?: string
  /** Words, tags and filters look in the folder and all below it. */
  scope?: 'below'
  type?: 'image' | 'video'
  surface?: Surface
  alt?: 'missing'
  approval?: Exclude<ApprovalState, 'none'>
  rights?: 'ending' | 'ended'
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
  scope: ['below'],
  type: ['image', 'video'],
  surface: ['website', 'social', 'gbp'],
  alt: ['missing'],
  approval: ['pending', 'approved', 'changes-requested'],
  panel: ['review'],
  rights: ['ending', 'ended'],
  sort: sorts,
  view: ['grid', 'list'],
} as const satisfies { [Name in keyof Place]: readonly NonNullable<Place[Name]>[] }

/** Reads an address; what makes no sense is left out rather than refused. */
export function readPlace(search: Record<string, unknown>): Place {
  const place: Record<string, string> = {}
  for (const name of ['folder', 'collection', 'inside', 'q', 'tag', 'asset', 'look'] as const) {
    const value = search[name]
    if (value !== undefined && value !== '') place[name] = String(value)
  }
  for (const [name, known] of Object.entries(choices)) {
    const value = search[name]
    if ((known as readonly unknown[]).includes(value)) place[name] = String(value)
  }
  return place
}

export const inTrash = (place: Place) => place.folder === 'trash'

export const isFiltered = ({ q, tag, type, surface, alt, approval, rights }: Place) =>
  !!(q || tag || type || surface || alt || approval || rights)

export const unfiltered = {
  q: undefined,
  tag: undefined,
  scope: undefined,
  type: undefined,
  surface: undefined,
  alt: undefined,
  approval: undefined,
  rights: undefined,
} satisfies Partial<Place>

/**
 * Words and tags look through the whole library, or through all of the trash; so do filters at its top; in a folder,
 * filters look there.
 */
const looksEverywhere = (place: Place) =>
  !place.collection &&
  !looksBelow(place) &&
  (!!place.q || !!place.tag || (isFiltered(place) && !folderOf(place)))

export const looksBelow = (place: Place) =>
  place.scope === 'below' && !!place.folder && !inTrash(place) && isFiltered(place)

/** What is found may come from many folders. */
export const looksFurther = (place: Place) =>
  !!place.collection || looksEverywhere(place) || looksBelow(place)

/** A collection in the order it was put in. */
export const isByHand = ({ collection, sort }: Place) => !!collection && !sort

/** Tells one place from another: all of it but what is only a way to look at it. */
export const placeKeyOf = (place: Place) =>
  JSON.stringify({
    ...place,
    asset: undefined,
    look: undefined,
    panel: undefined,
    view: undefined,
    sort: undefined,
  })

/** The folder that is looked into, in the trash or not. */
const folderOf = (place: Place) => (inTrash(place) ? place.inside : place.folder)

export function queryOf(place: Place): AssetQuery {
  return {
    folderId: looksEverywhere(place) || place.collection ? undefined : folderOf(place),
    collectionId: place.collection,
    trashed: inTrash(place) || undefined,
    everywhere: looksEverywhere(place) || undefined,
    below: looksBelow(place) || undefined,
    q: place.q,
    tag: place.tag,
    mimeType: place.type && `${place.type}/*`,
    surface: place.surface,
    missingAltText: place.alt === 'missing' || undefined,
    approval: place.approval,
    rights: place.rights,
    sort: place.sort,
  }
}
