import type { InfiniteData } from '@tanstack/react-query'
import type { Asset, AssetPage, AssetQuery, Sort } from '../../contract/assets.ts'
import type { Folder } from '../../contract/folders.ts'

export type AssetList = InfiniteData<AssetPage, string | null>

/** The list with the asset as it now is: changed, come, or gone. The very same list where nothing changes. */
export function withAsset(list: AssetList, query: AssetQuery, asset: Asset): AssetList {
  const belongs = matches(query, asset)
  const page = list.pages.findIndex(({ assets }) => assets.some(({ assetId }) => assetId === asset.assetId))
  if (page >= 0)
    return onPage(list, page, (assets) =>
      belongs
        ? assets.map((each) => (each.assetId === asset.assetId ? asset : each))
        : assets.filter(({ assetId }) => assetId !== asset.assetId),
    )
  return belongs ? insert(list, query.sort ?? 'newest', asset) : list
}

export function withoutAsset(list: AssetList, assetId: string): AssetList {
  const page = list.pages.findIndex(({ assets }) => assets.some((asset) => asset.assetId === assetId))
  return page < 0 ? list : onPage(list, page, (assets) => assets.filter((asset) => asset.assetId !== assetId))
}

/** The list with the folder as it now is among the folders it shows. */
export function withFolder(list: AssetList, query: AssetQuery, folder: Folder): AssetList {
  const others = withoutFolder(list, folder.folderId)
  if (!showsFolder(query, folder)) return others
  const behind = others.pages.findIndex(({ folders }) => folders.some((other) => byName(folder, other) < 0))
  const last = others.pages.findLastIndex(({ folders }) => folders.length > 0)
  const at = Math.max(0, behind >= 0 ? behind : last)
  const page = others.pages[at]
  if (!page) return list
  return {
    ...others,
    pages: others.pages.with(at, { ...page, folders: [...page.folders, folder].sort(byName) }),
  }
}

export function withoutFolder(list: AssetList, folderId: string): AssetList {
  const at = list.pages.findIndex(({ folders }) => folders.some((folder) => folder.folderId === folderId))
  const page = list.pages[at]
  if (!page) return list
  const folders = page.folders.filter((folder) => folder.folderId !== folderId)
  return { ...list, pages: list.pages.with(at, { ...page, folders }) }
}

export const byName = (a: Folder, b: Folder) => a.name.localeCompare(b.name, undefined, { numeric: true })

/** Whether the API would list the asset, judged by the rules of its listing. */
export function matches(query: AssetQuery, asset: Asset): boolean {
  if (!!query.trashed !== (asset.trashedAt !== null)) return false
  if (!query.trashed && !query.everywhere && asset.folderId !== (query.folderId ?? null)) return false
  if (query.mimeType && !sameKind(query.mimeType, asset.mimeType)) return false
  if (query.missingAltText && asset.altText !== '') return false
  if (query.tag !== undefined && !asset.tags.includes(query.tag)) return false
  if (query.surface && asset.allowedSurfaces.length && !asset.allowedSurfaces.includes(query.surface))
    return false
  const text = searchText(asset)
  return words(query.q).every((word) => text.includes(word))
}

function showsFolder(query: AssetQuery, folder: Folder): boolean {
  if (query.trashed || query.tag || query.surface || query.mimeType || query.missingAltText) return false
  if (query.everywhere) {
    const name = folder.name.toLowerCase()
    return words(query.q).length > 0 && words(query.q).every((word) => name.includes(word))
  }
  return folder.parentId === (query.folderId ?? null)
}

function insert(list: AssetList, sort: Sort, asset: Asset): AssetList {
  const order = orders[sort]
  const last = list.pages.length - 1
  const page = list.pages.findIndex(({ assets }) => assets.length > 0 && order(asset, assets.at(-1)!) < 0)
  if (page < 0) {
    // Behind everything loaded: it comes with the page it belongs to, unless this is the end.
    if (list.pages[last]?.nextCursor !== null) return list
    return onPage(list, last, (assets) => [...assets, asset])
  }
  return onPage(list, page, (assets) => {
    const at = assets.findIndex((each) => order(asset, each) < 0)
    return assets.toSpliced(at, 0, asset)
  })
}

function onPage(list: AssetList, page: number, change: (assets: Asset[]) => Asset[]): AssetList {
  const pages = list.pages.with(page, {
    ...list.pages[page]!,
    assets: change(list.pages[page]!.assets),
  })
  return { ...list, pages }
}

const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const orders: Record<Sort, (a: Asset, b: Asset) => number> = {
  newest: (a, b) => compare(b.createdAt, a.createdAt) || compare(b.assetId, a.assetId),
  oldest: (a, b) => compare(a.createdAt, b.createdAt) || compare(a.assetId, b.assetId),
  title: (a, b) => compare(a.title.toLowerCase(), b.title.toLowerCase()) || compare(a.assetId, b.assetId),
  size: (a, b) => b.sizeBytes - a.sizeBytes || compare(b.assetId, a.assetId),
}

const sameKind = (wanted: string, mimeType: string) =>
  wanted.endsWith('/*') ? mimeType.startsWith(wanted.slice(0, -1)) : mimeType === wanted
const words = (q = '') => q.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean)
const searchText = (asset: Asset) =>
  [asset.title, asset.description, asset.altText, ...asset.tags, asset.originalFilename]
    .join('\n')
    .toLowerCase()
