import type { QueryClient } from '@tanstack/react-query'
import type { Asset, AssetQuery } from '../../contract/assets.ts'
import type { DeliveryQuery } from '../../contract/deliveries.ts'
import type { Folder, FolderTree } from '../../contract/folders.ts'
import { type AssetList, withAsset, withFolder, withoutAsset, withoutFolder } from '../assets/patch.ts'
import type { Library } from './library.tsx'

/** Where the answers of one library are kept. */
export const keys = {
  lists: (library: Library) => [library.base, 'list'] as const,
  list: (library: Library, query: AssetQuery) => [library.base, 'list', query] as const,
  asset: (library: Library, assetId: string) => [library.base, 'asset', assetId] as const,
  about: (library: Library, assetId: string, what: string) => [library.base, 'asset', assetId, what] as const,
  tree: (library: Library) => [library.base, 'tree'] as const,
  connections: (library: Library) => [library.base, 'connections'] as const,
  everyDelivery: (library: Library) => [library.base, 'deliveries'] as const,
  deliveries: (library: Library, query: DeliveryQuery) => [library.base, 'deliveries', query] as const,
}

/** The asset and the ETag a change of it can be based on; without one it has to be read again first. */
export interface Held {
  asset: Asset
  etag?: string
}

/** Shows the asset as it now is, wherever it shows. */
export function showAsset(client: QueryClient, library: Library, asset: Asset, etag?: string) {
  client.setQueryData<Held>(keys.asset(library, asset.assetId), (held) =>
    held || etag ? { asset, etag } : undefined,
  )
  patchLists(client, library, (list, query) => withAsset(list, query, asset))
}

export function dropAsset(client: QueryClient, library: Library, assetId: string) {
  patchLists(client, library, (list) => withoutAsset(list, assetId))
}

export function showFolder(client: QueryClient, library: Library, folder: Folder) {
  client.setQueryData<FolderTree>(
    keys.tree(library),
    (tree) =>
      tree && {
        ...tree,
        folders: [...tree.folders.filter(({ folderId }) => folderId !== folder.folderId), folder],
      },
  )
  patchLists(client, library, (list, query) => withFolder(list, query, folder))
}

export function dropFolder(client: QueryClient, library: Library, folderId: string) {
  client.setQueryData<FolderTree>(
    keys.tree(library),
    (tree) => tree && { ...tree, folders: tree.folders.filter((folder) => folder.folderId !== folderId) },
  )
  patchLists(client, library, (list) => withoutFolder(list, folderId))
}

/** Reads anew what a patch cannot tell: folders come and go with all below them. */
export function rereadFolders(client: QueryClient, library: Library) {
  client.invalidateQueries({ queryKey: keys.tree(library) })
  rereadLists(client, library, (query) => !!query.trashed || !!query.everywhere)
}

/** Starts the lists over from their first page; a long list would otherwise be read again page by page. */
export function rereadLists(
  client: QueryClient,
  library: Library,
  which: (query: AssetQuery) => boolean = () => true,
) {
  for (const entry of client.getQueryCache().findAll({ queryKey: keys.lists(library) })) {
    const query = entry.queryKey[2] as AssetQuery
    if (!which(query)) continue
    client.setQueryData<AssetList>(
      entry.queryKey,
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
    )
    client.invalidateQueries({ queryKey: entry.queryKey, exact: true })
  }
}

/** Reads anew where assets are used, of each asset that shows it. */
export const rereadUses = (client: QueryClient, library: Library) =>
  client.invalidateQueries({
    queryKey: [library.base, 'asset'],
    predicate: ({ queryKey }) => queryKey[3] === 'uses',
  })

function patchLists(
  client: QueryClient,
  library: Library,
  change: (list: AssetList, query: AssetQuery) => AssetList,
) {
  for (const entry of client.getQueryCache().findAll({ queryKey: keys.lists(library) }))
    client.setQueryData<AssetList>(
      entry.queryKey,
      (list) => list && change(list, entry.queryKey[2] as AssetQuery),
    )
}
