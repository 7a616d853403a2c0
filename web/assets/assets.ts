import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import type {
  Asset,
  AssetChange,
  AssetPage,
  AssetQuery,
  AssetVersions,
  Batch,
  BatchResult,
  Fits,
  PreviewSize,
  SimilarAssets,
} from '../../contract/assets.ts'
import type { UsePage } from '../../contract/references.ts'
import { api, query as inUrl, isProblem, Problem, send } from '../api.ts'
import { type Held, keys, showAsset } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { type Place, queryOf } from '../library/place.ts'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { useSaid } from '../ui/said.ts'
import { toast } from '../ui/toast.tsx'
import { askWhichToKeep, type EditableField } from './conflicts.ts'
import type { AssetList } from './patch.ts'

const pageSize = 100
const largestBatch = 500

export const previewUrl = (library: Library, asset: Pick<Asset, 'assetId' | 'version'>, size: PreviewSize) =>
  `${library.base}/${asset.assetId}/preview?size=${size}&version=${asset.version}`
export const storyboardUrl = (library: Library, asset: Asset) =>
  `${library.base}/${asset.assetId}/storyboard?version=${asset.version}`
export const contentUrl = (
  library: Library,
  asset: Pick<Asset, 'assetId' | 'version'>,
  options: { download?: true } = {},
) => `${library.base}/${asset.assetId}/content${inUrl({ version: asset.version, ...options })}`

const listQuery = (library: Library, query: AssetQuery) =>
  infiniteQueryOptions({
    queryKey: keys.list(library, query),
    queryFn: ({ pageParam, signal }) =>
      api.get<AssetPage>(
        `${library.base}${inUrl({ ...query, limit: pageSize, ...(pageParam === null ? { count: true } : { cursor: pageParam }) })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page: AssetPage) => page.nextCursor,
    // Pages are only ever replaced whole, so comparing 100,000 assets member by member would find nothing.
    structuralSharing: false,
  })

export function useAssetList(place: Place) {
  const library = useLibrary()
  const query = queryOf(place)
  const list = useInfiniteQuery({
    ...listQuery(library, query),
    // While words or filters change, what was found before stays; another folder starts afresh.
    placeholderData: (before, beforeQuery) => {
      const from = beforeQuery?.queryKey[2] as AssetQuery | undefined
      return query.q && from?.q ? before : undefined
    },
  })
  const { data } = list
  return {
    query,
    assets: useMemo(() => data?.pages.flatMap((page) => page.assets) ?? noAssets, [data]),
    folders: useMemo(() => data?.pages.flatMap((page) => page.folders) ?? noFolders, [data]),
    total: data?.pages[0]?.total ?? null,
    isLoading: list.isPending,
    isStale: list.isPlaceholderData,
    error: data ? null : list.error,
    retry: list.refetch,
    hasMore: list.hasNextPage,
    isFetchingMore: list.isFetchingNextPage,
    fetchMore: list.fetchNextPage,
    moreFailed: list.isFetchNextPageError,
  }
}
const noAssets: Asset[] = []
const noFolders: AssetPage['folders'] = []

const assetQuery = (library: Library, assetId: string) =>
  queryOptions({
    queryKey: keys.asset(library, assetId),
    queryFn: ({ signal }) => readAsset(library, assetId, signal),
  })

async function readAsset(library: Library, assetId: string, signal?: AbortSignal): Promise<Held> {
  const { body, etag } = await send<Asset>('GET', `${library.base}/${assetId}`, { signal })
  return { asset: body, etag }
}

/** One asset by its id: from a list where it shows already, else from the server. */
export function useAsset(assetId: string | null) {
  const library = useLibrary()
  const client = useQueryClient()
  const asset = useQuery({
    ...assetQuery(library, assetId ?? ''),
    enabled: assetId !== null,
    initialData: () => {
      const found = assetId === null ? undefined : assetInLists(client, library, assetId)
      return found && { asset: found }
    },
    initialDataUpdatedAt: Date.now,
  })
  return { asset: asset.data?.asset ?? null, error: asset.error, retry: asset.refetch }
}

export function assetInLists(client: QueryClient, library: Library, assetId: string): Asset | undefined {
  for (const [, list] of client.getQueriesData<AssetList>({ queryKey: keys.lists(library) }))
    for (const page of list?.pages ?? [])
      for (const asset of page.assets) if (asset.assetId === assetId) return asset
}

function useAbout<T>(assetId: string, what: 'similar' | 'fit' | 'versions' | 'uses') {
  const library = useLibrary()
  return useQuery({
    queryKey: keys.about(library, assetId, what === 'fit' ? 'fits' : what),
    queryFn: ({ signal }) => api.get<T>(`${library.base}/${assetId}/${what}`, { signal }),
  }).data
}
export const useSimilar = (assetId: string) => useAbout<SimilarAssets>(assetId, 'similar')?.similar
export const useFits = (assetId: string) => useAbout<Fits>(assetId, 'fit')?.fits
export const useVersions = (assetId: string) => useAbout<AssetVersions>(assetId, 'versions')?.versions

export const useUses = (assetId: string) => useAbout<UsePage>(assetId, 'uses')?.uses

/** An edit begun: what the person saw, and what the server held at that moment. */
export interface Edit {
  seen: Asset
  base: Promise<Held>
}

export function useBeginEdit() {
  const library = useLibrary()
  return (seen: Asset): Edit => {
    const base = readAsset(library, seen.assetId)
    base.catch(() => {}) // Whoever saves meets the failure.
    return { seen, base }
  }
}

/** Changes one field: at once in every list, on the server next, and back again with a word if that fails. */
export function useSaveEdit() {
  const library = useLibrary()
  const client = useQueryClient()
  const done = useTranslations('done')
  const failed = useTranslations('failed')
  const said = useSaid()
  const undo = useUndo()

  return <Field extends EditableField>(edit: Edit, field: Field, value: Asset[Field]): Promise<boolean> =>
    undoAwaits(save(edit, field, value))

  async function save<Field extends EditableField>(
    { seen, base }: Edit,
    field: Field,
    value: Asset[Field],
  ): Promise<boolean> {
    if (same(seen[field], value)) return true
    const shown = assetInLists(client, library, seen.assetId) ?? seen
    showAsset(client, library, { ...shown, [field]: value })
    try {
      const saved = await write(library, seen, field, value, await base)
      showAsset(client, library, saved.asset, saved.etag)
      if (field === 'title' && same(saved.asset.title, value))
        undo.offer(done('renamed', { title: saved.asset.title }), () => putBack(field, seen[field]))
      return true
    } catch (error) {
      showAsset(client, library, (await base.catch(() => ({ asset: seen }))).asset)
      toast({ text: `${failed('rolledBack', { title: seen.title })} ${said(error)}`, bad: true })
      return false
    }

    async function putBack(field: Field, value: Asset[Field]) {
      const { body, etag } = await patch(library, seen.assetId, { [field]: value })
      showAsset(client, library, body, etag)
    }
  }
}

/** Writes on top of what the person saw. Where somebody else changed the same field, the person decides. */
async function write<Field extends EditableField>(
  library: Library,
  seen: Asset,
  field: Field,
  value: Asset[Field],
  base: Held,
): Promise<Held> {
  const untouched = same(base.asset[field], seen[field])
  if (!untouched && !same(base.asset[field], value)) {
    const keep = await askWhichToKeep({ title: seen.title, field, yours: value, theirs: base.asset[field] })
    if (keep === 'theirs') return base
  }
  try {
    const { body, etag } = await patch(library, seen.assetId, { [field]: value }, base.etag)
    return { asset: body, etag }
  } catch (error) {
    if (!isProblem(error, 'changed-meanwhile')) throw error
    return write(library, untouched ? seen : base.asset, field, value, await readAsset(library, seen.assetId))
  }
}

const patch = (library: Library, assetId: string, change: AssetChange, ifMatch?: string) =>
  send<Asset>('PATCH', `${library.base}/${assetId}`, { body: change, ifMatch })

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

type BatchChange = Omit<Batch, 'assetIds'>

/** Does one thing to many assets; what was refused is said once, what worked shows at once. */
export function useBatch() {
  const library = useLibrary()
  const client = useQueryClient()
  const t = useTranslations('batch')
  const said = useSaid()

  return async (assetIds: string[], change: BatchChange): Promise<Asset[]> => {
    const results: BatchResult['results'] = []
    for (let at = 0; at < assetIds.length; at += largestBatch) {
      const some = assetIds.slice(at, at + largestBatch)
      const answer = await api.post<BatchResult>(`${library.base}/batch`, { assetIds: some, ...change })
      results.push(...answer.results)
    }
    const changed = results.flatMap(({ asset }) => asset ?? [])
    for (const asset of changed) showAsset(client, library, asset)
    const refused = results.find(({ ok }) => !ok)
    if (refused) {
      const problem = new Problem({ status: 409, ...refused.problem } as Problem)
      if (changed.length === 0) throw problem
      const detail = said(problem)
      const failed = results.length - changed.length
      toast({ text: t('partly', { failed, count: results.length, detail }), bad: true })
    }
    return changed
  }
}

/** Reads on when the end of what is loaded comes near. */
export function useReadAhead(near: boolean, list: ReturnType<typeof useAssetList>) {
  const { hasMore, isFetchingMore, moreFailed, fetchMore } = list
  useEffect(() => {
    if (near && hasMore && !isFetchingMore && !moreFailed) fetchMore()
  }, [near, hasMore, isFetchingMore, moreFailed, fetchMore])
}
