import { type Access, type CallOptions, call, type Method, pause } from './call.ts'
import type {
  Asset,
  AssetChange,
  AssetPage,
  AssetQuery,
  Batch,
  BatchResult,
  Connection,
  Connections,
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  FinalizedAsset,
  Fit,
  Fits,
  Folder,
  FolderChange,
  FolderTree,
  LibraryEvent,
  Me,
  NewDelivery,
  NewFolder,
  NewPullGrant,
  Pick,
  PickQuery,
  Picks,
  Plan,
  PlanRequest,
  PreviewSize,
  PullGrant,
  PullGrantPage,
  PullGrantQuery,
  PullGrantWithUrl,
  RefSwap,
  RefsSwapped,
  Resolve,
  Resolved,
  ReviewAsked,
  ReviewRequest,
  Use,
  UseInput,
  UseKind,
  UsePage,
  UseQuery,
} from './contract.ts'
import { type FollowOptions, follow, type Reset } from './events.ts'
import { type UploadOptions, upload } from './upload.ts'

export type { Access } from './call.ts'
export type * from './contract.ts'
export type { FollowOptions, Reset } from './events.ts'
export { isProblem, LibraryProblem } from './problem.ts'
export { resumeOf, type UploadOptions, type UploadResume } from './upload.ts'

export interface LibraryAccess extends Access {
  /** The client whose library it is; the key must be for it. */
  clientId: string
}

export type AssetLibrary = ReturnType<typeof assetLibrary>

/** Deliveries in these states are still on their way. */
const underWay: Delivery['status'][] = ['queued', 'preparing', 'sending']

/** The clients that a key is for. */
export async function clientsOf(access: Access): Promise<{ clientId: string; name: string }[]> {
  const me: Me = await (await call(access, 'GET', '/auth/me')).json()
  return me.clients ?? []
}

/**
 * One client's library for an agent. Every refusal is thrown as a `LibraryProblem`; what fails because the library
 * is away for a moment is repeated first.
 */
export function assetLibrary(access: LibraryAccess) {
  const client = `/admin/clients/${encodeURIComponent(access.clientId)}`
  const assets = `${client}/assets`
  const ask = async <T>(method: Method, path: string, options?: CallOptions): Promise<T> =>
    (await call(access, method, path, options)).json()

  const library = {
    /** One page of what a folder holds, or of what a search finds. */
    listAssets: (query: AssetQuery = {}): Promise<AssetPage> => ask('GET', assets, { query }),

    /** All that a search finds, page by page, in all folders. */
    async *searchAssets(query: Omit<AssetQuery, 'cursor' | 'everywhere'>): AsyncGenerator<Asset> {
      let cursor: string | null | undefined
      do {
        const page: AssetPage = await library.listAssets({
          ...query,
          everywhere: query.folderId === undefined,
          ...(cursor && { cursor }),
        })
        yield* page.assets
        cursor = page.nextCursor
      } while (cursor)
    },

    /** The best assets for a purpose that may be used for it now, each with a score and why; the best first. */
    pick: async (wish: PickQuery): Promise<Pick[]> =>
      (await ask<Picks>('GET', `${assets}/pick`, { query: wish })).picks,

    readAsset: (assetId: string): Promise<Asset> => ask('GET', `${assets}/${assetId}`),
    editAsset: (assetId: string, change: AssetChange): Promise<Asset> =>
      ask('PATCH', `${assets}/${assetId}`, { body: change }),
    /** Does one thing with up to 500 assets: move, tag, untag, surfaces, trash, restore. One that fails leaves the others alone. */
    editAssets: async (batch: Batch): Promise<BatchResult['results']> =>
      (await ask<BatchResult>('POST', `${assets}/batch`, { body: batch })).results,
    /** Into a folder, or with null out of all of them. */
    moveAssets: (assetIds: string[], folderId: string | null): Promise<BatchResult['results']> =>
      library.editAssets({ assetIds, action: 'move', folderId }),
    /** How each target system would take the asset. */
    fitsOf: async (assetId: string): Promise<Fit[]> =>
      (await ask<Fits>('GET', `${assets}/${assetId}/fit`)).fits,
    /** The asset as a JPEG to look at. */
    previewOf: async (assetId: string, size: PreviewSize = 'card'): Promise<Blob> =>
      (
        await call(access, 'GET', `${assets}/${assetId}/preview`, { query: { size }, accept: 'image/jpeg' })
      ).blob(),
    /** All folders, read page by page. */
    async folders(): Promise<Folder[]> {
      const folders: Folder[] = []
      let cursor: string | null | undefined
      do {
        const query = { limit: 1000, ...(cursor && { cursor }) }
        const page = await ask<FolderTree>('GET', `${assets}/folders`, { query })
        folders.push(...page.folders)
        cursor = page.nextCursor
      } while (cursor)
      return folders
    },
    createFolder: (folder: NewFolder): Promise<Folder> => ask('POST', `${assets}/folders`, { body: folder }),
    /** Renames a folder, or moves it. */
    editFolder: (change: FolderChange): Promise<Folder> =>
      ask('PATCH', `${assets}/folders`, { body: change }),

    /**
     * Brings a file into the library: in one piece or, if it is large, in parts. One that broke off is taken up with
     * `resume`, and sends only what is missing.
     */
    upload: (file: Blob, options: UploadOptions): Promise<FinalizedAsset> =>
      upload(access, assets, file, options),

    /** What each ref stands for on a surface, in order; or why it may not be used there. */
    resolve: async (assetRefs: string[], purpose: Omit<Resolve, 'assetRefs'>): Promise<Resolved['results']> =>
      (await ask<Resolved>('POST', `${client}/asset-refs/resolve`, { body: { assetRefs, ...purpose } }))
        .results,

    /** How several assets go out as one post: in one ratio, each with its crop; or which does not fit, and why. */
    plan: (assetRefs: string[], purpose: Omit<PlanRequest, 'assetRefs'>): Promise<Plan> =>
      ask('POST', `${client}/asset-refs/plan`, { body: { assetRefs, ...purpose } }),

    /** Says where assets are used. The whole use is replaced; said twice, it is recorded once. */
    recordUse: (kind: UseKind, externalId: string, use: UseInput): Promise<Use> =>
      ask('PUT', `${client}/uses/${kind}/${encodeURIComponent(externalId)}`, { body: use }),
    listUses: (query: UseQuery = {}): Promise<UsePage> => ask('GET', `${client}/uses`, { query }),
    usesOf: (assetId: string): Promise<UsePage> => ask('GET', `${assets}/${assetId}/uses`),
    /** Swaps one ref for another in all drafts, scheduled and running uses. */
    replaceEverywhere: async (swap: RefSwap): Promise<Use[]> =>
      (await ask<RefsSwapped>('POST', `${client}/asset-refs/replace`, { body: swap })).uses,

    /** Asks people to approve assets, where only approved ones may be used. */
    requestReview: (request: ReviewRequest): Promise<ReviewAsked> =>
      ask('POST', `${client}/reviews`, { body: request }),

    /** What others do in the library, as it happens. */
    events: (options?: FollowOptions): AsyncGenerator<LibraryEvent | Reset> =>
      follow(access, `${client}/events`, options),

    connections: async (): Promise<Connection[]> =>
      (await ask<Connections>('GET', `${client}/connections`)).connections,
    /** Has an asset brought to a connection, once. */
    deliver: (order: NewDelivery): Promise<Delivery> => ask('POST', `${client}/deliveries`, { body: order }),
    readDelivery: (deliveryId: string): Promise<Delivery> => ask('GET', `${client}/deliveries/${deliveryId}`),
    listDeliveries: (query: DeliveryQuery = {}): Promise<DeliveryPage> =>
      ask('GET', `${client}/deliveries`, { query }),
    /** Tries again; what may be there is looked for first, and never sent twice. */
    retryDelivery: (deliveryId: string): Promise<Delivery> =>
      ask('POST', `${client}/deliveries/${deliveryId}/retry`),
    /** Abandons one that has not arrived. */
    cancelDelivery: (deliveryId: string): Promise<Delivery> =>
      ask('POST', `${client}/deliveries/${deliveryId}/cancel`),
    /** A connection in `error` takes nothing new until it was tested and works. */
    testConnection: (connectionId: string): Promise<Connection> =>
      ask('POST', `${client}/connections/${connectionId}/test`),
    /** Waits until a delivery has come to an end, good or bad. */
    async untilDelivered(
      deliveryId: string,
      { everyMs = 1000, signal }: { everyMs?: number; signal?: AbortSignal } = {},
    ): Promise<Delivery> {
      for (;;) {
        const delivery = await library.readDelivery(deliveryId)
        if (!underWay.includes(delivery.status)) return delivery
        signal?.throwIfAborted()
        await pause(everyMs)
      }
    },

    /** An address from which a system that takes no files can fetch an asset for a while. Whoever holds it can. */
    createPullGrant: (grant: NewPullGrant): Promise<PullGrantWithUrl> =>
      ask('POST', `${client}/pull-grants`, { body: grant }),
    /** The addresses there are, newest first: how often each was fetched, by whom and when last. */
    listPullGrants: (query: PullGrantQuery = {}): Promise<PullGrantPage> =>
      ask('GET', `${client}/pull-grants`, { query }),
    revokePullGrant: (pullGrantId: string): Promise<PullGrant> =>
      ask('DELETE', `${client}/pull-grants/${pullGrantId}`),
  }
  return library
}
