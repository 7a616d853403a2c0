import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type {
  Asset,
  AssetChange,
  AssetPage,
  AssetRecord,
  AssetVersions,
  Fits,
  SimilarAssets,
} from '../../contract/assets.ts'
import type { PreviewSize } from '../../contract/media-types.ts'
import type { UsePage } from '../../contract/references.ts'
import { api, query as inUrl, isProblem, Problem, send } from '../api.ts'
import { type Held, keys, showAsset, showAssets, showEdit } from '../library/cache.ts'
import { withEdits } from '../library/edits.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { useNotSaved } from '../library/not-saved.ts'
import type { AssetList } from '../library/patch.ts'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { unsay } from '../ui/toast.tsx'
import { askWhichToKeep, type EditableField } from './conflicts.ts'

export const previewUrl = (library: Library, asset: Pick<Asset, 'assetId' | 'version'>, size: PreviewSize) =>
  `${library.base}/${asset.assetId}/preview?size=${size}&version=${asset.version}`
export const storyboardUrl = (library: Library, asset: Asset) =>
  `${library.base}/${asset.assetId}/storyboard?version=${asset.version}`
export const contentUrl = (
  library: Library,
  asset: Pick<Asset, 'assetId' | 'version'>,
  options: { download?: true } = {},
) => `${library.base}/${asset.assetId}/content${inUrl({ version: asset.version, ...options })}`

const assetQuery = (library: Library, assetId: string) =>
  queryOptions({
    queryKey: keys.asset(library, assetId),
    queryFn: async ({ signal }): Promise<Held> => {
      const { asset, etag } = await readAsset(library, assetId, signal)
      return { asset: withEdits(asset), etag }
    },
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
      for (const asset of page?.assets ?? []) if (asset.assetId === assetId) return asset
}

/** Those of these that were merged into others, as far as lists tell. */
export function mergedInLists(client: QueryClient, library: Library, assetIds: string[]): Merged[] {
  const lists = client.getQueriesData<AssetList>({ queryKey: keys.lists(library) })
  const merged = lists.flatMap(([, list]) => list?.pages ?? []).flatMap((page) => page?.merged ?? [])
  const byId = new Map(merged.map((one) => [one.assetId, one]))
  return assetIds.flatMap((id) => byId.get(id) ?? [])
}
type Merged = NonNullable<AssetPage['merged']>[number]

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

/** Lists leave it out, so it is asked for by itself. */
export function usePictureText({ assetId, version, durationSeconds }: Asset) {
  const library = useLibrary()
  const record = useQuery({
    queryKey: [...keys.about(library, assetId, 'text'), version],
    queryFn: ({ signal }) => api.get<AssetRecord>(`${library.base}/${assetId}`, { signal }),
    enabled: durationSeconds === null,
  })
  return record.data?.pictureText
}

/** What an asset in the trash was merged into as a duplicate. */
export function useMergedInto({ assetId, trashedAt }: Asset) {
  const library = useLibrary()
  const record = useQuery({
    queryKey: [...keys.about(library, assetId, 'merged'), trashedAt],
    queryFn: ({ signal }) => api.get<AssetRecord>(`${library.base}/${assetId}`, { signal }),
    enabled: trashedAt !== null,
  })
  return record.data?.mergedInto ?? null
}

/** Removes an old version for good. */
export function useDeleteVersion({ assetId }: Asset) {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (version: number) => api.delete(`${library.base}/${assetId}/versions/${version}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.about(library, assetId, 'versions') }),
  })
}

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
  const fields = useTranslations('fields')
  const surfaces = useTranslations('surfaces')
  const nameOf = (field: EditableField) => (field === 'allowedSurfaces' ? surfaces('label') : fields(field))
  const notSaved = useNotSaved()
  const undo = useUndo()

  return <Field extends EditableField>(edit: Edit, field: Field, value: Asset[Field]): Promise<boolean> =>
    undoAwaits(save(edit, field, value))

  async function save<Field extends EditableField>(
    { seen, base }: Edit,
    field: Field,
    value: Asset[Field],
  ): Promise<boolean> {
    if (same(seen[field], value)) return true
    const about = `${seen.assetId} ${field}`
    unsay(about)
    const shown = assetInLists(client, library, seen.assetId) ?? seen
    const answered = showEdit(client, library, [shown], (asset) => ({ ...asset, [field]: value }))
    try {
      const saved = await write(library, seen, field, value, await base)
      answered()
      showAsset(client, library, saved.asset, saved.etag)
      if (!same(setValue(saved.asset, field), value)) return true
      const takeBack = () => putBack(setValue(seen, field))
      const edited = done('edited', { title: seen.title, field: nameOf(field) })
      if (field === 'title') undo.offer(done('renamed', { title: saved.asset.title }), takeBack)
      else if (field === 'focalPoint' || field === 'crops') undo.offer(edited, takeBack)
      else undo.remember(edited, takeBack)
      return true
    } catch (error) {
      showAssets(client, library, answered())
      notSaved({ about, title: seen.title, typed: value, error })
      return false
    }

    /** What somebody else has written there since stays. */
    async function putBack(old: Asset[Field]) {
      const now = await readAsset(library, seen.assetId)
      showAsset(client, library, now.asset, now.etag)
      if (!same(setValue(now.asset, field), value)) throw changedSince()
      const { body, etag } = await patch(library, seen.assetId, { [field]: old }, now.etag)
      showAsset(client, library, body, etag)
    }
  }
}

const changedSince = () => new Problem({ status: 412, code: 'changed-meanwhile' } as Problem)

/** What somebody set: a guess is nobody's. */
const setValue = <Field extends EditableField>(asset: Asset, field: Field) =>
  (field === 'focalPoint' && asset.focalPointIsGuess ? null : asset[field]) as Asset[Field]

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
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder)
}

const inOrder = (_: string, value: unknown) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort())
    : value
