import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Asset } from '../../contract/assets.ts'
import type { EventOf, EventType } from '../../contract/events.ts'
import { isProblem, send } from '../api.ts'
import { forgetPosition, positions, setPosition } from '../positions.ts'
import {
  dropAsset,
  dropFolder,
  keys,
  reread,
  rereadAbout,
  rereadCollection,
  rereadCounts,
  rereadFolders,
  rereadLists,
  rereadTrashed,
  showAsset,
  showAssets,
  showFolder,
} from './cache.ts'
import { type Library, useLibrary } from './library.tsx'

type Handler<T extends EventType = EventType> = (
  client: QueryClient,
  library: Library,
  event: EventOf<T>,
) => void
type AssetEvent = 'asset.created' | 'asset.updated' | 'asset.trashed' | 'asset.restored' | 'asset.replaced'
type ReviewEvent = 'review.requested' | 'review.approved' | 'review.changes-requested' | 'review.withdrawn'
type FolderEvent = 'folder.created' | 'folder.updated' | 'folder.restored'

const together = 50
let pending = new Map<string, Asset>()
let timer: ReturnType<typeof setTimeout> | undefined

/** A batch arrives as one event for each asset; what comes together is shown together. */
const takeAsset: Handler<AssetEvent> = (client, library, { subject, data }) => {
  pending.set(subject, data.asset)
  timer ??= setTimeout(() => showPending(client, library), together)
  reread(client, keys.reviews(library))
  if (!isEdit(data)) rereadCounts(client, library)
}

function showPending(client: QueryClient, library: Library) {
  clearTimeout(timer)
  timer = undefined
  const assets = [...pending.values()]
  pending = new Map()
  if (assets.length === 0) return
  showAssets(client, library, assets)
  for (const tell of toldOfAssets) tell(assets)
}

const toldOfAssets = new Set<(assets: Asset[]) => void>()

/** For what keeps assets elsewhere than in the cache. Answers with how to hear no more. */
export function whenAssetsChange(tell: (assets: Asset[]) => void): () => void {
  toldOfAssets.add(tell)
  return () => void toldOfAssets.delete(tell)
}

/** Words changed, and nothing came, went or moved. */
const isEdit = (data: EventOf<AssetEvent>['data']) => 'changed' in data && !data.changed.includes('folderId')

const takeFolder: Handler<FolderEvent> = (client, library, { data }) =>
  showFolder(client, library, data.folder)
const loseFolder: Handler = (client, library, { subject }) => {
  dropFolder(client, library, subject)
  rereadFolders(client, library)
  rereadCounts(client, library)
}

const rereadPullGrants: Handler = (client, library) => reread(client, keys.everyPullGrant(library))
/** What a delivery lets others fetch ends with it. */
const rereadDeliveries: Handler = (client, library, event) => {
  reread(client, keys.everyDelivery(library))
  rereadPullGrants(client, library, event)
}
const rereadConnections: Handler = (client, library) => reread(client, keys.connections(library))
/** A decision decides, where only what is approved may be used, where the asset fits. */
const handleReview: Handler<ReviewEvent> = (client, library, event) => {
  pending.set(event.subject, event.data.asset)
  timer ??= setTimeout(() => showPending(client, library), together)
  for (const what of ['versions', 'fits']) reread(client, keys.about(library, event.subject, what))
  reread(client, keys.reviews(library))
}
const handleComment: Handler = (client, library, { subject }) => {
  reread(client, keys.about(library, subject, 'comments'))
  reread(client, keys.reviews(library))
}
const rereadShareLinks: Handler = (client, library) => reread(client, keys.shareLinks(library))
const rereadCollections: Handler = (client, library, { subject }) => {
  reread(client, keys.collections(library))
  reread(client, keys.savedSearches(library))
  rereadCollection(client, library, subject)
}
/** It stands in collections no more, or again. */
const takeCounted: Handler<'asset.trashed' | 'asset.restored'> = (client, library, event) => {
  takeAsset(client, library, event)
  reread(client, keys.collections(library))
}
const rereadUploadRequests: Handler = (client, library) => {
  reread(client, keys.uploadRequests(library))
  reread(client, keys.waitingRoom(library))
}
const rereadDuplicates: Handler = (client, library) => reread(client, keys.duplicates(library))
const handleUse: Handler = (client, library) => rereadAbout(client, library, 'uses')

/** What decides, beside the file, where an asset fits. */
const decidesFit = [
  'allowedSurfaces',
  'rightsExpireAt',
  'provenance',
  'evidence',
  'altText',
  'focalPoint',
  'crops',
]

const handlers: { [T in EventType]?: Handler<T> } = {
  'asset.created': takeAsset,
  'asset.updated': (client, library, event) => {
    takeAsset(client, library, event)
    if (event.data.changed.some((field) => decidesFit.includes(field)))
      reread(client, keys.about(library, event.subject, 'fits'))
  },
  'asset.trashed': takeCounted,
  'asset.restored': takeCounted,
  'asset.replaced': (client, library, event) => {
    takeAsset(client, library, event)
    reread(client, keys.about(library, event.subject, 'versions'))
    reread(client, keys.about(library, event.subject, 'fits'))
  },
  'asset.merged': (client, library, { subject }) => {
    reread(client, keys.about(library, subject, 'merged'))
    rereadTrashed(client, library)
  },
  'asset.version-deleted': (client, library, { subject }) =>
    reread(client, keys.about(library, subject, 'versions')),
  'asset.purged': (client, library, { subject }) => {
    showPending(client, library)
    dropAsset(client, library, subject)
    reread(client, keys.reviews(library))
    reread(client, keys.collections(library))
  },
  'asset.media': async (client, library, { subject }) => {
    // Without an answer it stays as it is: after being offline everything is reloaded anyway.
    const read = await send<Asset>('GET', `${library.base}/${subject}`).catch(() => undefined)
    if (!read) return
    showAsset(client, library, read.body, read.etag)
    reread(client, keys.about(library, subject, 'fits'))
    reread(client, keys.about(library, subject, 'text'))
    rereadAbout(client, library, 'similar')
  },
  'review.requested': handleReview,
  'review.approved': handleReview,
  'review.changes-requested': handleReview,
  'review.withdrawn': handleReview,
  'comment.created': handleComment,
  'comment.updated': handleComment,
  'comment.deleted': handleComment,
  'folder.created': takeFolder,
  'folder.updated': (client, library, event) => {
    takeFolder(client, library, event)
    // It may have come or gone with all below it.
    rereadCounts(client, library)
    rereadLists(client, library, (query) => !!query.below)
  },
  'folder.trashed': loseFolder,
  'folder.purged': loseFolder,
  'folder.restored': (client, library, event) => {
    takeFolder(client, library, event)
    rereadFolders(client, library)
    rereadCounts(client, library)
    rereadLists(client, library, (query) => query.folderId !== undefined)
  },
  'collection.created': rereadCollections,
  'collection.updated': rereadCollections,
  'collection.deleted': rereadCollections,
  'collection.assets-added': rereadCollections,
  'collection.assets-moved': rereadCollections,
  'collection.assets-removed': rereadCollections,
  'use.created': handleUse,
  'use.updated': handleUse,
  'connection.created': rereadConnections,
  'connection.updated': rereadConnections,
  'connection.checked': rereadConnections,
  'connection.sign-in-needed': rereadConnections,
  'connection.signed-in': rereadConnections,
  'connection.removed': rereadConnections,
  'delivery.created': rereadDeliveries,
  'delivery.updated': rereadDeliveries,
  'delivery.done': rereadDeliveries,
  'delivery.failed': rereadDeliveries,
  'delivery.unknown': rereadDeliveries,
  'delivery.cancelled': rereadDeliveries,
  'delivery.removed': rereadDeliveries,
  'pull-grant.created': rereadPullGrants,
  'pull-grant.fetched': rereadPullGrants,
  'pull-grant.revoked': rereadPullGrants,
  'share-link.created': rereadShareLinks,
  'share-link.opened': rereadShareLinks,
  'share-link.revoked': rereadShareLinks,
  'duplicates.kept': rereadDuplicates,
  'duplicates.reopened': rereadDuplicates,
  'upload-request.created': rereadUploadRequests,
  'upload-request.received': rereadUploadRequests,
  'upload-request.refused': rereadUploadRequests,
  'upload-request.accepted': rereadUploadRequests,
  'upload-request.declined': rereadUploadRequests,
  'upload-request.revoked': rereadUploadRequests,
}

/** Reads all of the library again. */
function startOver(client: QueryClient, library: Library) {
  client.invalidateQueries({
    queryKey: [library.base],
    predicate: ({ queryKey }) => queryKey[1] !== keys.lists(library)[1],
  })
  rereadLists(client, library)
}

/** What is there twice comes and goes with these, and so does which of it had better be kept. */
const aboutAssets = /^(asset|folder|use|collection)\./

/** How full the library is changes with these. */
const takesSpace = /^asset\.(created|replaced|version-deleted|purged)$/

const reconnectAfter = 5000
/** After longer than this it costs less to read anew than to be told of everything. */
const shortWhile = 60_000

/**
 * Other people's changes appear as they happen. Only the cache is touched, never focus or scroll. The stream begins
 * where what is shown ends: with the first event that not every answer knew of, or that came when it was left.
 */
export function useLiveChanges() {
  const library = useLibrary()
  const client = useQueryClient()
  useEffect(() => {
    const { root } = library
    let source: EventSource | undefined
    let again: ReturnType<typeof setTimeout>
    let begin = Number.POSITIVE_INFINITY
    let last = begin
    let left = false

    function listenAfter(eventId: number) {
      source?.close()
      source = new EventSource(`${library.eventsUrl}?lastEventId=${eventId}`)
      const on = (type: string, handle: (data: string) => void) =>
        source!.addEventListener(type, ({ data, lastEventId }) => {
          last = Number(lastEventId)
          handle(data)
        })
      last = eventId
      for (const [type, handle] of Object.entries(handlers))
        on(type, (data) => {
          handle(client, library, JSON.parse(data))
          reread(client, keys.activity(library))
          if (aboutAssets.test(type)) reread(client, keys.duplicates(library))
          if (takesSpace.test(type)) reread(client, keys.client(library))
        })
      on('reset', () => startOver(client, library))
      source.onerror = () => {
        // A broken event source reconnects by itself and resumes; a refused one does not.
        if (source!.readyState === EventSource.CLOSED) again = setTimeout(listenIfAllowed, reconnectAfter)
      }
    }

    // An event source does not say why it was refused; the library does. Who may not see it has nothing to wait for,
    // and who has to sign in first is waited for.
    async function listenIfAllowed() {
      const refused = await send('GET', `${library.base}/upload-limits`).then(
        () => false,
        (error) => isProblem(error, 'not-found') || isProblem(error, 'forbidden'),
      )
      if (!refused && !left) listenAfter(last)
    }

    function follow() {
      const read = positions.get()[root]?.eventId ?? Number.POSITIVE_INFINITY
      if (read >= begin) return
      begin = read
      listenAfter(read)
    }

    const known = positions.get()[root]
    if (known && Date.now() - known.at > shortWhile) {
      forgetPosition(root)
      startOver(client, library)
    }
    const unfollow = positions.subscribe(follow)
    follow()
    return () => {
      left = true
      unfollow()
      clearTimeout(again)
      source?.close()
      if (source) setPosition(root, last)
    }
  }, [client, library])
}
