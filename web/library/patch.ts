import type { Asset, AssetPage } from '../../contract/assets.ts'
import { type Folder, parentOf } from '../../contract/folders.ts'
import { compareText, folded, nameOrder } from '../../contract/folding.ts'
import { orientationOf, ratioOf } from '../../contract/ratios.ts'
import { type AssetQuery, rightsEndingDays, type Sort } from '../../contract/search.ts'
import { searchedWords, unwantedWords } from '../../contract/searched-words.ts'

/** A list in pages, each with the cursor it begins at; null stands for a page that nobody has read yet. */
export interface AssetList {
  pages: (AssetPage | null)[]
  starts: (string | null)[]
  /** An asset changed that is on no page read so far: only the server knows whether the list is longer or shorter now. */
  unsure?: true
  /** Nobody has counted further: there may be more. */
  atLeast?: boolean
}

/** What a list was asked for; with `below`, also the folders that means. */
export type Looked = AssetQuery & { inside?: ReadonlySet<string | null> }

export const pageSize = 100
/** Of what was searched for, more are not counted before somebody needs to know. */
export const mostCounted = 10_000

/** How many assets stand on each page, as far as is known: behind the last page, what is not read yet. */
export function lengthsOf({ pages }: AssetList): number[] {
  const { total } = pages[0]!
  const lengths = pages.map((page) => page?.assets.length ?? pageSize)
  const last = pages.at(-1)
  if (last?.nextCursor === null) return lengths
  const known = last ? lengths : lengths.slice(0, -1)
  return [...known, Math.max(1, (total ?? 0) - sum(known))]
}
export const sum = (lengths: number[]) => lengths.reduce((all, length) => all + length, 0)

export const lengthOf = (list: AssetList) => sum(lengthsOf(list))

/** The list with how many there are in all, or at least. */
export const withTotal = (list: AssetList, total: number, atLeast: boolean): AssetList => ({
  ...list,
  pages: list.pages.with(0, { ...list.pages[0]!, total }),
  atLeast,
})

/** Whether a list, as it was patched, is what the server now says: as long, and with the same beginning. */
export function agrees(list: AssetList, { total, assets }: AssetPage): boolean {
  const own = list.pages[0]!.assets
  const length = lengthOf(list)
  return (
    (list.atLeast && total === mostCounted ? length >= total : length === total) &&
    own.every(({ assetId }, at) => at >= assets.length || assets[at]!.assetId === assetId)
  )
}

/**
 * The list with the assets as they now are: changed, come, gone, or elsewhere in its order. The very same list where
 * nothing changes.
 */
export function withAssets(list: AssetList, asked: Looked, changed: Asset[]): AssetList {
  const query = asMeant(list, asked)
  const sort = sortOf(query)
  const order = orders[sort]
  const isBetween = (asset: Asset, before?: Asset, after?: Asset) =>
    (!before || order(before, asset) < 0) && (!after || order(asset, after) < 0)
  const changedById = new Map(changed.map((asset) => [asset.assetId, asset]))
  const settled = new Set<string>()
  const moved = new Set<string>()
  let next = list
  list.pages.forEach((page, at) => {
    if (!page?.assets.some(({ assetId }) => changedById.has(assetId))) return
    next = onPage(next, at, (assets) =>
      assets.flatMap((asset, index) => {
        const now = changedById.get(asset.assetId)
        if (!now) return asset
        // What it means, and what is written in its picture, only the server knows.
        const isSeenThere = page.byMeaning?.includes(asset.assetId) || !hasWords(query, asset)
        const found = isSeenThere ? { ...query, q: undefined } : query
        const stays = matches(found, now)
        // A page may have come with an edit in it that the server had not sorted by.
        const stands =
          isOrderedThere(query) ||
          (order(asset, now) === 0 && isBetween(now, assets[index - 1], assets[index + 1]))
        const moves = stays && !stands
        ;(moves ? moved : settled).add(asset.assetId)
        return stays && !moves ? now : []
      }),
    )
  })
  for (const asset of changed) {
    if (settled.has(asset.assetId)) continue
    const longer = mayCome(query, asset) ? insert(next, sort, asset) : next
    if (longer !== next) next = longer
    else if (moved.has(asset.assetId))
      next = ofLength(next, 1) // it waits on a page that nobody has read
    else if (!next.unsure && (!isWhole(next) || mayStandIn(query, asset))) next = { ...next, unsure: true }
  }
  return next
}

/**
 * Into a folder of the trash nothing comes by itself: what is there went with the folder. What stands in a collection, and
 * where, what is used, which words its folders have, and how well it answers words only the server knows.
 */
const mayCome = (query: Looked, asset: Asset) =>
  !(query.trashed && query.folderId) && !isKnownThere(query) && matches(query, asset)

const mayStandIn = (query: Looked, asset: Asset) => isKnownThere(query) && matches(query, asset)

const isKnownThere = (query: Looked) =>
  !!query.collectionId || query.used !== undefined || !!query.byFolder || sortOf(query) === 'relevance'

const isOrderedThere = (query: Looked) =>
  (!!query.collectionId && !query.sort) || sortOf(query) === 'relevance'

const sortOf = ({ sort, q, trashed }: Looked): Sort =>
  sort ?? (searchedWords(q).length > 0 ? 'relevance' : trashed ? 'trashed' : 'newest')

/** The search that finds what is shown without guessing: by the words that were looked for instead, and by folders' names. */
export function asMeant<Query extends AssetQuery>({ pages }: AssetList, query: Query): Query {
  const { meant = query.q, byFolder = query.byFolder } = pages[0]!
  return meant === query.q && byFolder === query.byFolder ? query : { ...query, q: meant, byFolder }
}

/** Nothing of it is still to be read. */
const isWhole = (list: AssetList) => list.pages.every(Boolean) && isEndRead(list)

/** Its last page was read: it is known how long it is. */
export const isEndRead = ({ pages }: AssetList) => pages.at(-1)?.nextCursor === null

export const withAsset = (list: AssetList, query: Looked, asset: Asset) => withAssets(list, query, [asset])

export function withoutAsset(list: AssetList, assetId: string): AssetList {
  const page = list.pages.findIndex((each) => each?.assets.some((asset) => asset.assetId === assetId))
  return page < 0 ? list : onPage(list, page, (assets) => assets.filter((asset) => asset.assetId !== assetId))
}

/** The list with some of its assets before another, or at its end; the very same while part of it is unread. */
export function withPlaces(list: AssetList, assetIds: string[], before: string | undefined): AssetList {
  const pages = list.pages.filter((page) => page !== null)
  if (pages.length < list.pages.length || !isWhole(list)) return list
  const all = pages.flatMap(({ assets }) => assets)
  const moved = assetIds.flatMap((id) => all.find(({ assetId }) => assetId === id) ?? [])
  const rest = all.filter(({ assetId }) => !assetIds.includes(assetId))
  const at = before === undefined ? -1 : rest.findIndex(({ assetId }) => assetId === before)
  const order = rest.toSpliced(at < 0 ? rest.length : at, 0, ...moved)
  let from = 0
  return {
    ...list,
    pages: pages.map((page) => {
      const assets = order.slice(from, from + page.assets.length)
      from += page.assets.length
      return { ...page, assets }
    }),
  }
}

/** The list with the folder as it now is among the folders it shows. */
export function withFolder(list: AssetList, asked: Looked, folder: Folder): AssetList {
  const query = asMeant(list, asked)
  const others = foldersOf(list).filter(({ folderId }) => folderId !== folder.folderId)
  const folders = showsFolder(query, folder) ? [...others, folder].sort(byName) : others
  return folders.length === foldersOf(list).length && !folders.includes(folder)
    ? list
    : withFolders(list, folders)
}

export function withoutFolder(list: AssetList, folderId: string): AssetList {
  const folders = foldersOf(list)
  const others = folders.filter((folder) => folder.folderId !== folderId)
  return others.length === folders.length ? list : withFolders(list, others)
}

/** All folders stand on the first page, however many there are. */
const foldersOf = ({ pages }: AssetList) => pages[0]!.folders
const withFolders = (list: AssetList, folders: Folder[]): AssetList => ({
  ...list,
  pages: list.pages.with(0, { ...list.pages[0]!, folders }),
})

/** As the API lists them: any other order would jump when a list is read anew. */
export const byName = (a: Folder, b: Folder) =>
  compareText(nameOrder(a.name), nameOrder(b.name)) || compareText(a.folderId, b.folderId)

/** Whether the API would list the asset, judged by the rules of its listing. */
export function matches(query: Looked, asset: Asset): boolean {
  if (!!query.trashed !== (asset.trashedAt !== null)) return false
  if ((!query.trashed || query.folderId) && !looksInto(query, asset.folderId)) return false
  if (query.mimeType && !sameKind(query.mimeType, asset.mimeType)) return false
  const { missingAltText } = query
  if (missingAltText !== undefined && missingAltText !== (asset.altText === '')) return false
  if (query.approval && asset.approval !== query.approval) return false
  if (query.rights && rightsOf(asset) !== query.rights) return false
  if ([query.tag ?? []].flat().some((tag) => !hasTag(asset, tag))) return false
  if (!isSuchAFile(query, asset)) return false
  if (query.surface && asset.allowedSurfaces.length && !asset.allowedSurfaces.includes(query.surface))
    return false
  return !!query.byFolder || hasWords(query, asset)
}

function hasWords({ q }: Looked, asset: Asset): boolean {
  const text = searchText(asset)
  const words = searchedWords(q)
  const refs = words.filter(isRef)
  if (refs.length > 0 && !refs.some((ref) => isRefOf(asset, ref))) return false
  if (unwantedWords(q).some((word) => text.includes(folded(word)))) return false
  return words.every((word) => refs.includes(word) || text.includes(folded(word)))
}

function isSuchAFile(query: Looked, { createdBy, createdAt, sizeBytes, width, height }: Asset): boolean {
  const { uploader, from, to, orientation, ratio, minBytes = 0, maxBytes = sizeBytes } = query
  const day = createdAt.slice(0, 10)
  if (uploader !== undefined && createdBy !== uploader) return false
  if ((from && day < from) || (to && day > to)) return false
  if (sizeBytes < minBytes || sizeBytes > maxBytes) return false
  if (query.minWidth && !(width && width >= query.minWidth)) return false
  if (query.minHeight && !(height && height >= query.minHeight)) return false
  if (!orientation && !ratio) return true
  if (!width || !height) return false
  const size = { width, height }
  return (!orientation || orientationOf(size) === orientation) && (!ratio || ratioOf(size) === ratio)
}

function rightsOf({ rightsExpireAt }: Asset): AssetQuery['rights'] {
  if (rightsExpireAt === null) return undefined
  const left = Date.parse(rightsExpireAt) - Date.now()
  if (left <= 0) return 'ended'
  return left <= rightsEndingDays * 86_400_000 ? 'ending' : undefined
}

/** What a folder has not: with one of these no folder is found. */
const ofAssetsOnly = [
  'collectionId',
  'trashed',
  'tag',
  'surface',
  'mimeType',
  'missingAltText',
  'approval',
  'rights',
  'uploader',
  'from',
  'to',
  'orientation',
  'ratio',
  'minBytes',
  'maxBytes',
  'minWidth',
  'minHeight',
] satisfies (keyof AssetQuery)[]

function showsFolder(query: Looked, folder: Folder): boolean {
  if (query.used !== undefined || ofAssetsOnly.some((name) => query[name])) return false
  if (!looksInto(query, parentOf(folder))) return false
  if (query.everywhere || query.below) {
    const words = searchedWords(query.q)
    const name = folded(folder.name)
    if (unwantedWords(query.q).some((word) => name.includes(folded(word)))) return false
    return words.length > 0 && words.every((word) => name.includes(folded(word)))
  }
  return true
}

const looksInto = ({ everywhere, below, inside, folderId, collectionId }: Looked, place: string | null) =>
  everywhere ||
  (collectionId && !folderId) ||
  (below && inside ? inside.has(place) : place === (folderId ?? null))

function insert(list: AssetList, sort: Sort, asset: Asset): AssetList {
  const order = orders[sort]
  const { pages } = list
  const last = pages.length - 1
  const isLast = (page: number) => page === last && pages[last]!.nextCursor === null
  const before = (page: number) =>
    pages[page]!.assets.length > 0 && order(asset, pages[page]!.assets.at(-1)!) < 0
  // It is known to belong on a page where it stands between two others, or at an end of the whole list.
  const page = pages.findIndex((each, at) => {
    if (!each || !(before(at) || isLast(at))) return false
    return at === 0 || pages[at - 1] !== null || (each.assets.length > 0 && order(asset, each.assets[0]!) > 0)
  })
  // Anywhere else it comes with the page it belongs to.
  if (page < 0) return list
  return onPage(list, page, (assets) => {
    const at = assets.findIndex((each) => order(asset, each) < 0)
    return at < 0 ? [...assets, asset] : assets.toSpliced(at, 0, asset)
  })
}

function onPage(list: AssetList, page: number, change: (assets: Asset[]) => Asset[]): AssetList {
  const before = list.pages[page]!
  const assets = change(before.assets)
  const pages = list.pages.with(page, { ...before, assets })
  return ofLength({ ...list, pages }, assets.length - before.assets.length)
}

/** The list with so many more in all. */
function ofLength(list: AssetList, more: number): AssetList {
  const { total, ...first } = list.pages[0]!
  if (total === null || more === 0) return list
  return { ...list, pages: list.pages.with(0, { ...first, total: total + more }) }
}

const orders: Record<Sort, (a: Asset, b: Asset) => number> = {
  relevance: () => 0,
  newest: (a, b) => compareText(b.createdAt, a.createdAt) || compareText(b.assetId, a.assetId),
  oldest: (a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.assetId, b.assetId),
  title: (a, b) =>
    compareText(a.title.toLowerCase(), b.title.toLowerCase()) || compareText(a.assetId, b.assetId),
  'title-desc': (a, b) => orders.title(b, a),
  size: (a, b) => b.sizeBytes - a.sizeBytes || compareText(b.assetId, a.assetId),
  'size-asc': (a, b) => orders.size(b, a),
  trashed: (a, b) => orders['trashed-asc'](b, a),
  'trashed-asc': (a, b) =>
    compareText(a.trashedAt ?? '', b.trashedAt ?? '') || compareText(a.assetId, b.assetId),
}

const sameTag = (a: string, b: string) =>
  a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()

/** Tags that differ by case are one tag. */
export const hasTag = ({ tags }: Pick<Asset, 'tags'>, tag: string) =>
  tags.some((own) => sameTag(own, tag.trim()))

const sameKind = (wanted: string, mimeType: string) =>
  wanted.endsWith('/*') ? mimeType.startsWith(wanted.slice(0, -1)) : mimeType === wanted
/** What words are looked for in, as far as a list tells. */
export const searchText = (asset: Asset) =>
  folded([asset.title, asset.description, asset.altText, ...asset.tags, asset.originalFilename].join(' '))
/** A word that names an asset. */
export const isRef = (word: string) => /^asset_[0-9a-z]+(@\d+)?$/.test(word)
const isRefOf = ({ assetId }: Asset, word: string) => word.replace(/@\d+$/, '') === assetId
