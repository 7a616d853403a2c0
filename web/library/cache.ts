import { defaultScheduler, notifyManager, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Asset } from '../../contract/assets.ts'
import type { DeliveryQuery, PullGrantQuery } from '../../contract/deliveries.ts'
import type { Folder, FolderTree } from '../../contract/folders.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { type Edit, keepEdit, withEdits } from './edits.ts'
import type { Library } from './library.tsx'
import {
  type AssetList,
  type Looked,
  withAssets,
  withFolder,
  withoutAsset,
  withoutFolder,
  withPlaces,
} from './patch.ts'
import { isOrderOf, keepPlace } from './places.ts'

/** Where the answers of one library are kept. */
export const keys = {
  client: (library: Library) => ['client', library.clientId] as const,
  lists: (library: Library) => [library.base, 'list'] as const,
  list: (library: Library, query: AssetQuery) => [library.base, 'list', query] as const,
  asset: (library: Library, assetId: string) => [library.base, 'asset', assetId] as const,
  about: (library: Library, assetId: string, what: string) => [library.base, 'asset', assetId, what] as const,
  tree: (library: Library) => [library.base, 'tree'] as const,
  folderCounts: (library: Library) => [library.base, 'folder-counts'] as const,
  duplicates: (library: Library) => [library.base, 'duplicates'] as const,
  savedSearches: (library: Library) => [library.base, 'saved-searches'] as const,
  uploaders: (library: Library) => [library.base, 'uploaders'] as const,
  collections: (library: Library) => [library.base, 'collections'] as const,
  trash: (library: Library, folderId?: string) =>
    folderId ? ([library.base, 'trash', folderId] as const) : ([library.base, 'trash'] as const),
  reviews: (library: Library) => [library.base, 'reviews'] as const,
  shareLinks: (library: Library) => [library.base, 'share-links'] as const,
  uploadRequests: (library: Library) => [library.base, 'upload-requests'] as const,
  waitingRoom: (library: Library) => [library.base, 'waiting-room'] as const,
  activity: (library: Library) => [library.base, 'activity'] as const,
  connections: (library: Library) => [library.base, 'connections'] as const,
  everyDelivery: (library: Library) => [library.base, 'deliveries'] as const,
  deliveries: (library: Library, query: DeliveryQuery) => [library.base, 'deliveries', query] as const,
  everyPullGrant: (library: Library) => [library.base, 'pull-grants'] as const,
  pullGrants: (library: Library, query: PullGrantQuery) => [library.base, 'pull-grants', query] as const,
}

/** The asset and the ETag a change of it can be based on; without one it has to be read again first. */
export interface Held {
  asset: Asset
  etag?: string
}

/** Shows the asset as it now is, wherever it shows. */
export const showAsset = (client: QueryClient, library: Library, asset: Asset, etag?: string) =>
  put(client, library, [withEdits(asset)], etag)

/** The same for many of them, without walking through the lists for each. */
export const showAssets = (client: QueryClient, library: Library, assets: Asset[]) =>
  put(client, library, assets.map(withEdits))

/** Shows assets as a person has just changed them, until the answer is there; what it returns tells what they are then. */
export function showEdit(client: QueryClient, library: Library, assets: Asset[], edit: Edit): () => Asset[] {
  const kept = assets.map((asset) => keepEdit(asset, edit))
  put(
    client,
    library,
    kept.map(({ shown }) => shown),
  )
  return () => kept.map(({ answered }) => answered())
}

function put(client: QueryClient, library: Library, assets: Asset[], etag?: string) {
  for (const asset of assets) {
    const key = keys.asset(library, asset.assetId)
    client.setQueryData<Held>(key, (held) => (held || etag ? { asset, etag } : undefined))
    if (isOnItsWay(client, key)) makeSure(client, key)
  }
  patchLists(client, library, (list, query) => withAssets(list, query, assets))
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
  if (isOnItsWay(client, keys.tree(library))) makeSure(client, keys.tree(library))
  listFolder(client, library, folder)
}

export function folderInLists(client: QueryClient, library: Library, folderId: string): Folder | undefined {
  for (const [, list] of client.getQueriesData<AssetList>({ queryKey: keys.lists(library) }))
    for (const folder of list?.pages[0]?.folders ?? []) if (folder.folderId === folderId) return folder
}

/** Among the folders that lists show, and nowhere else. */
export function listFolder(client: QueryClient, library: Library, folder: Folder) {
  patchLists(client, library, (list, query) => withFolder(list, query, folder))
}

export function dropFolder(client: QueryClient, library: Library, folderId: string) {
  const gone = branch(client, library, folderId)
  client.setQueryData<FolderTree>(
    keys.tree(library),
    (tree) => tree && { ...tree, folders: withoutBranch(tree.folders, folderId) },
  )
  patchLists(client, library, (list) => withoutFolder(list, folderId))
  // Reloading these lists shows that the folder is gone.
  client.invalidateQueries({
    queryKey: keys.lists(library),
    predicate: ({ queryKey }) => gone.has((queryKey[2] as AssetQuery).folderId ?? ''),
  })
}

/** The folders that are left when one goes with all below it. */
function withoutBranch(folders: Folder[], folderId: string): Folder[] {
  const gone = branchOf(folders, folderId)
  return folders.filter((folder) => !gone.has(folder.folderId))
}

/** The folder and all below it. */
function branchOf(folders: Folder[], folderId: string): Set<string> {
  const inside = Map.groupBy(folders, ({ parentId }) => parentId)
  const branch = new Set([folderId])
  for (const id of branch) for (const folder of inside.get(id) ?? []) branch.add(folder.folderId)
  return branch
}

const together = 300
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * What a hundred changes in a row would each ask for is asked for once, when they have passed. An answer on its way is
 * waited for: it may be older than the last change, but is not thrown away for the next one.
 */
function onceQuiet(client: QueryClient, queryKey: QueryKey, work: () => void) {
  const name = JSON.stringify(queryKey)
  clearTimeout(waiting.get(name))
  const ask = () => (client.isFetching({ queryKey }) > 0 ? onceQuiet(client, queryKey, work) : work())
  waiting.set(name, setTimeout(ask, together))
}

/** Reloads what an event tells of, but does not carry. */
export const reread = (client: QueryClient, queryKey: QueryKey) =>
  onceQuiet(client, queryKey, () => client.invalidateQueries({ queryKey }))

/** Reloads what a patch cannot know: folders come and go with all below them. */
export const rereadFolders = (client: QueryClient, library: Library) =>
  onceQuiet(client, keys.tree(library), () => {
    for (const key of [keys.tree, keys.collections, keys.reviews, keys.savedSearches])
      client.invalidateQueries({ queryKey: key(library) })
    rereadLists(
      client,
      library,
      (query) => !!query.trashed || !!query.everywhere || !!query.below || !!query.collectionId,
    )
  })

export const rereadCounts = (client: QueryClient, library: Library) =>
  reread(client, keys.folderCounts(library))

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
      (list) => list && { pages: list.pages.slice(0, 1), starts: list.starts.slice(0, 1) },
    )
    client.invalidateQueries({ queryKey: entry.queryKey, exact: true })
  }
}

/** Reloads what a list of the trash says beside its assets. */
export const rereadTrashed = (client: QueryClient, library: Library) =>
  onceQuiet(client, [library.base, 'trashed'], () => rereadLists(client, library, (query) => !!query.trashed))

/** Reloads what is shown of assets that a change to others is about, too. */
export const rereadAbout = (
  client: QueryClient,
  library: Library,
  what: 'uses' | 'similar' | 'collections',
) =>
  onceQuiet(client, [library.base, 'about', what], () =>
    client.invalidateQueries({
      queryKey: [library.base, 'asset'],
      predicate: ({ queryKey }) => queryKey[3] === what,
    }),
  )

/** Reloads what stands in a collection. */
export const rereadCollection = (client: QueryClient, library: Library, collectionId: string) =>
  onceQuiet(client, [library.base, 'collection', collectionId], () => {
    rereadLists(client, library, (query) => query.collectionId === collectionId)
    rereadAbout(client, library, 'collections')
  })

/** Shows assets before another of their collection, or at its end, until `answered` is called. */
export function showPlaces(
  client: QueryClient,
  library: Library,
  collectionId: string,
  assetIds: string[],
  before: string | undefined,
): { answered(): void } {
  const lists = () =>
    client
      .getQueryCache()
      .findAll({ queryKey: keys.lists(library) })
      .filter(({ queryKey }) => isOrderOf(collectionId, queryKey[2] as AssetQuery))
  const forget = keepPlace({ collectionId, assetIds, before })
  // The next key may be pressed before a timer fires, and counts from there.
  notifyManager.setScheduler((notify) => notify())
  for (const { queryKey } of lists())
    client.setQueryData<AssetList>(queryKey, (list) => list && withPlaces(list, assetIds, before))
  notifyManager.setScheduler(defaultScheduler)
  return {
    answered() {
      forget()
      // What is on its way now may be from before it; the collection is read anew.
      for (const { queryKey } of lists()) void client.cancelQueries({ queryKey, exact: true })
    },
  }
}

/** Shows the collection without these assets, until the answer is there. */
export const showTakenOut = (
  client: QueryClient,
  library: Library,
  collectionId: string,
  assetIds: string[],
) =>
  patchLists(client, library, (list, query) =>
    query.collectionId === collectionId ? assetIds.reduce(withoutAsset, list) : list,
  )

function patchLists(
  client: QueryClient,
  library: Library,
  change: (list: AssetList, query: Looked) => AssetList,
) {
  for (const entry of client.getQueryCache().findAll({ queryKey: keys.lists(library) })) {
    const query = entry.queryKey[2] as AssetQuery
    const inside = query.below ? branch(client, library, query.folderId!) : undefined
    const mayBeOlder = isOnItsWay(client, entry.queryKey)
    const now = client.setQueryData<AssetList>(
      entry.queryKey,
      (list) => list && change(list, { ...query, inside }),
    )
    if (now?.unsure || mayBeOlder) makeSure(client, entry.queryKey)
  }
}

/** An answer that is on its way may be older than the change. */
const isOnItsWay = (client: QueryClient, queryKey: QueryKey) =>
  client.getQueryState(queryKey)?.fetchStatus === 'fetching'

/** Asks the server how it is now, when the changes have passed. */
const makeSure = (client: QueryClient, queryKey: QueryKey) =>
  onceQuiet(client, queryKey, () => client.invalidateQueries({ queryKey, exact: true }))

const branch = (client: QueryClient, library: Library, folderId: string) =>
  branchOf(client.getQueryData<FolderTree>(keys.tree(library))?.folders ?? [], folderId)
