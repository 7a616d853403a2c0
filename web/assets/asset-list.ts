import {
  type QueryClient,
  type QueryFunctionContext,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Asset, AssetCursors, AssetIds, AssetPage, MergedInto } from '../../contract/assets.ts'
import type { Folder } from '../../contract/folders.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { api, query as inUrl, isProblem } from '../api.ts'
import { keys } from '../library/cache.ts'
import { withEdits } from '../library/edits.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import {
  type AssetList,
  agrees,
  asMeant,
  isEndRead,
  lengthOf,
  lengthsOf,
  mostCounted,
  pageSize,
  sum,
  withTotal,
} from '../library/patch.ts'
import { hasWordsOrTags, inTrash, intoTrash, type Place, queryOf } from '../library/place.ts'
import { asPlaced } from '../library/places.ts'

const listQuery = (library: Library, query: AssetQuery) =>
  queryOptions({
    queryKey: keys.list(library, query),
    queryFn: async (context) => asPlaced(await readList(library, query, context), query),
    // Pages are only ever replaced whole, so comparing 100,000 assets member by member would find nothing.
    structuralSharing: false,
  })

async function readList(
  library: Library,
  query: AssetQuery,
  { client, queryKey, signal }: QueryFunctionContext,
): Promise<AssetList> {
  const read = (more: AssetQuery) => readAssets(library, { ...query, limit: pageSize, ...more }, signal)
  const latest = () => client.getQueryData<AssetList>(queryKey)
  const isKnown = latest() !== undefined
  const page = await read(isKnown ? counting(query) : {})
  // Folders come first, and all of them stand above the first asset.
  while (page.nextCursor !== null && page.assets.length === 0) {
    const { folders, assets, byMeaning, merged, nextCursor } = await read({ cursor: page.nextCursor })
    page.folders.push(...folders)
    Object.assign(page, { assets, byMeaning, merged, nextCursor })
  }
  const found: AssetList = { pages: [page], starts: [null] }
  if (isKnown) return renewed(latest() ?? found, found, query)
  if (page.nextCursor === null) return withTotal(found, page.assets.length, false)

  // It is shown before it is counted; and as each letter finds something else, only what somebody stays with is.
  client.setQueryData<AssetList>(queryKey, found)
  if (query.q) await new Promise((resolve) => setTimeout(resolve, rests))
  const { total } = await read({ ...counting(query), limit: 1 })
  return withTotal(latest() ?? found, total!, isCut(query, total!))
}

const rests = 300

/** A place is counted by an index alone, and its bar leads anywhere at once. */
const counting = (query: AssetQuery): AssetQuery =>
  isPlace(query) ? { count: true } : { countUpTo: mostCounted }
const isPlace = ({ folderId, trashed, sort, ...filters }: AssetQuery) =>
  Object.values(filters).every((value) => value === undefined)
const isCut = (query: AssetQuery, total: number) => !isPlace(query) && total >= mostCounted

/** What is on the screen stays there if it has only to be made sure of. */
function renewed(known: AssetList, found: AssetList, query: AssetQuery): AssetList {
  const [page] = found.pages
  const total = page!.total!
  const atLeast = isCut(query, total)
  if (known.unsure && agrees(known, page!)) return { pages: known.pages, starts: known.starts, atLeast }
  return withTotal(found, atLeast ? Math.max(total, lengthOf(known)) : total, atLeast)
}

/** How many there are, exactly. */
export async function readTotal(
  client: QueryClient,
  library: Library,
  query: AssetQuery,
  signal: AbortSignal,
) {
  const { total } = await readAssets(library, { ...query, count: true, limit: 1 }, signal)
  client.setQueryData<AssetList>(keys.list(library, query), (list) => list && withTotal(list, total!, false))
  return total!
}

async function readAssets(library: Library, query: AssetQuery, signal?: AbortSignal): Promise<AssetPage> {
  const page = await api.get<AssetPage>(`${library.base}${inUrl(query)}`, { signal })
  return { ...page, assets: page.assets.map(withEdits) }
}

/** What is at a place, all of it in its order; an asset that nobody has read yet is a hole. */
export function useAssetList(place: Place) {
  const library = useLibrary()
  const query = queryOf(place)
  const ground = JSON.stringify([library.base, place.folder, place.inside, place.collection, place.sort])
  const before = useRef(place)
  const list = useQuery({
    ...listQuery(library, query),
    // While words or filters change, what was found before stays; another folder, or order, starts afresh.
    meta: { ground, place },
    placeholderData: (found, query) => {
      if (query?.meta?.ground !== ground) return undefined
      before.current = query.meta.place as Place
      return found
    },
  })
  const { data } = list
  const shown = list.isPlaceholderData ? before.current : place
  const asked = list.isPlaceholderData ? queryOf(shown) : query
  const byMeaning = useMemo(() => data && meaningOf(data), [data])
  const { need, failed, retryPages } = usePages(query, data)
  return {
    /** The place that all of this is from: the one before, until it is known what is here. */
    place: shown,
    query: asked,
    /** What is done to all of a list is done to what it shows, whatever the server finds out by then. */
    search: data && asked.q ? { ...asMeant(data, asked), meaning: !!byMeaning } : asked,
    ...useMemo(() => arranged(data), [data]),
    isCounted: data !== undefined && data.pages[0]!.total !== null,
    /** There may be more than are shown as read or to be read. */
    isAtLeast: data !== undefined && !isEndRead(data) && (data.atLeast ?? data.pages[0]!.total === null),
    /** From the top, or from what was deleted, down to the folder that is looked into. */
    path: data?.pages[0]?.path ?? noSteps,
    /** The words that were looked for instead. */
    meant: data?.pages[0]?.meant,
    /** Words in the names of folders count, too. */
    byFolder: data?.pages[0]?.byFolder ?? false,
    /** Those that are only similar in meaning; undefined where that was not looked for. */
    byMeaning,
    /** In the trash: what was merged as a duplicate, and into what. */
    mergedInto: useMemo(() => data && mergesOf(data), [data]),
    isUnranked: data?.pages[0]?.unranked ?? false,
    isLoading: list.isPending,
    isStale: list.isPlaceholderData,
    // What is no longer there is not shown, though it is still remembered.
    error: data && !isProblem(list.error, 'not-found') ? null : list.error,
    retry: list.refetch,
    need,
    pagesFailed: failed,
    retryPages,
  }
}
const noSteps: AssetPage['path'] = []

/** A list of a million has as many places, but only what was read of it is ever gone through. */
function arranged(list: AssetList | undefined) {
  const folders = list?.pages[0]?.folders ?? noFolders
  const lengths = list ? lengthsOf(list) : []
  const assets = new Array<Asset | undefined>(sum(lengths))
  const order = new Array<string | undefined>(folders.length + assets.length)
  const places = new Map<string, number>()
  const put = (id: string, at: number) => {
    order[at] = id
    places.set(id, at)
  }
  for (const [at, { folderId }] of folders.entries()) put(folderId, at)
  let at = 0
  for (const [page, length] of lengths.entries()) {
    list!.pages[page]?.assets.forEach((asset, index) => {
      assets[at + index] = asset
      put(asset.assetId, folders.length + at + index)
    })
    at += length
  }
  return {
    folders,
    assets,
    /** The ids of the folders and, behind them, of the assets. */
    order,
    /** Where it stands in the order; -1 where it does not, or nobody has read it. */
    indexOf: (id: string | null) => (id === null ? -1 : (places.get(id) ?? -1)),
    assetOf: (id: string) => assets[(places.get(id) ?? -1) - folders.length] ?? null,
    /** Where the page begins that has this one of the assets. */
    pageOf(asset: number) {
      const starts = list?.starts ?? []
      let [page, from] = [0, 0]
      while (page + 1 < starts.length && from + lengths[page]! <= asset) from += lengths[page++]!
      return { from, cursor: starts[page] ?? undefined }
    },
  }
}
const noFolders: Folder[] = []

const meaningOf = ({ pages }: AssetList): ReadonlySet<string> | undefined =>
  pages[0]?.byMeaning && new Set(pages.flatMap((page) => page?.byMeaning ?? []))

const mergesOf = ({ pages }: AssetList): ReadonlyMap<string, MergedInto> =>
  new Map(pages.flatMap((page) => page?.merged ?? []).map(({ assetId, into }) => [assetId, into]))

/** How many folders and assets with the same words or tags lie in the trash, up to a hundred; 0 until that is known. */
export function useFoundInTrash(place: Place): number {
  const library = useLibrary()
  const query = { ...queryOf({ ...place, ...intoTrash, meaning: 'off' }), countUpTo: mostInTrash, limit: 20 }
  const { data } = useQuery({
    queryKey: [library.base, 'found-in-trash', query],
    queryFn: ({ signal }) => readAssets(library, query, signal),
    enabled: hasWordsOrTags(place) && !inTrash(place),
    staleTime: 0,
  })
  return data ? Math.min(data.folders.length + data.total!, mostInTrash) : 0
}
const mostInTrash = 100

/** The first page of a place is there, for something to be put into it. */
export const ensureList = (client: QueryClient, library: Library, query: AssetQuery) =>
  client.ensureQueryData(listQuery(library, query))

/** A bar that is dragged past a thousand pages reads none of them. */
const settles = 80

/** Reads the pages that come into sight. */
function usePages(query: AssetQuery, data: AssetList | undefined) {
  const library = useLibrary()
  const client = useQueryClient()
  const [failed, setFailed] = useState(false)
  const seen = useRef({ from: 0, to: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(query)
  latest.current = query

  const readSeen = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(async () => {
      try {
        await readPages(client, library, latest.current, seen.current)
        setFailed(false)
      } catch {
        setFailed(true)
      }
    }, settles)
  }, [client, library])

  // The list may have been reloaded while somebody looks at its middle.
  useEffect(() => {
    if (data) readSeen()
    return () => clearTimeout(timer.current)
  }, [data, readSeen])

  const need = useCallback(
    (from: number, to: number) => {
      seen.current = { from, to }
      readSeen()
    },
    [readSeen],
  )
  return { need, failed, retryPages: readSeen }
}

/** Who reads on gets the next page; for whoever goes farther than this all of them are laid out, which reads the whole list. */
const near = 3 * pageSize

async function readPages(
  client: QueryClient,
  library: Library,
  query: AssetQuery,
  { from, to }: { from: number; to: number },
) {
  let list = client.getQueryData<AssetList>(keys.list(library, query))
  for (let end = list && endOf(list); end && end.at <= to; end = list && endOf(list)) {
    const read = to - end.at < near ? readOn : readStarts
    list = await read(client, library, query, end.next)
  }
  if (!list) return
  const { pages, starts } = list
  const missing = pagesBetween(list, from, to).filter((page) => pages[page] === null)
  await Promise.all(
    missing.map((page) => readPage(client, library, query, starts[page]!, starts[page + 1] ?? undefined)),
  )
}

/** Where the pages end that are known, if that is not the end of the list. */
function endOf(list: AssetList): { at: number; next: string } | null {
  const next = list.pages.at(-1)?.nextCursor
  return next ? { at: sum(lengthsOf(list).slice(0, -1)), next } : null
}

async function readOn(client: QueryClient, library: Library, query: AssetQuery, cursor: string) {
  const page = await client.fetchQuery({
    queryKey: [library.base, 'next', query, cursor],
    queryFn: () => readAssets(library, { ...query, limit: pageSize, cursor }),
    gcTime: 0,
  })
  return layOut(client, library, query, cursor, (list) => ({
    pages: keptAround(list.pages.length, [...list.pages, page]),
    starts: [...list.starts, cursor],
  }))
}

/** Where all further pages begin. */
async function readStarts(client: QueryClient, library: Library, query: AssetQuery, cursor: string) {
  const { cursors } = await client.fetchQuery({
    queryKey: [library.base, 'cursors', query, cursor],
    queryFn: () =>
      api.get<AssetCursors>(`${library.base}/cursors${inUrl({ ...query, limit: pageSize, cursor })}`),
    gcTime: 0,
  })
  return layOut(client, library, query, cursor, withStarts([cursor, ...cursors]))
}

const withStarts =
  (further: string[]) =>
  ({ pages, starts }: AssetList) => ({
    pages: [...pages, ...further.map(() => null)],
    starts: [...starts, ...further],
  })

/** The list with more pages, if it still ends where these begin. */
const layOut = (
  client: QueryClient,
  library: Library,
  query: AssetQuery,
  cursor: string,
  longer: (list: AssetList) => Pick<AssetList, 'pages' | 'starts'>,
) =>
  client.setQueryData<AssetList>(keys.list(library, query), (list) =>
    list?.pages.at(-1)?.nextCursor === cursor ? { ...list, ...longer(list) } : list,
  )

/** From where it begins to where the next one does: what comes or goes meanwhile stays on its page. */
async function readPage(
  client: QueryClient,
  library: Library,
  query: AssetQuery,
  start: string,
  until: string | undefined,
) {
  const page = await client.fetchQuery({
    queryKey: [library.base, 'page', query, start],
    queryFn: async () => {
      const whole = await onePage(start)
      while (whole.nextCursor) {
        const more = await onePage(whole.nextCursor)
        whole.assets.push(...more.assets)
        whole.nextCursor = more.nextCursor
      }
      return whole
    },
    gcTime: 0,
  })
  client.setQueryData<AssetList>(keys.list(library, query), (list) => {
    const at = list?.starts.indexOf(start) ?? -1
    if (!list || at < 0 || list.pages[at]) return list
    return { ...list, pages: keptAround(at, list.pages.with(at, page)) }
  })

  function onePage(cursor: string) {
    return readAssets(library, { ...query, limit: 2 * pageSize, cursor, until })
  }
}

/** However far somebody scrolls, so many pages are kept: those that are farthest away are read anew when needed. */
const mostPages = 40

function keptAround(at: number, pages: AssetList['pages']): AssetList['pages'] {
  const read = pages.flatMap((page, index) => (page ? index : []))
  // The first has what holds for all; one that is not as long as others takes its length from what is on it.
  const far = read
    .filter((index) => index > 0 && index < pages.length - 1 && pages[index]!.assets.length === pageSize)
    .sort((a, b) => Math.abs(b - at) - Math.abs(a - at))
    .slice(0, Math.max(0, read.length - mostPages))
  return far.length ? pages.map((page, index) => (far.includes(index) ? null : page)) : pages
}

function pagesBetween(list: AssetList, from: number, to: number): number[] {
  const found: number[] = []
  let at = 0
  lengthsOf(list).forEach((length, page) => {
    if (page < list.pages.length && at <= to && at + length > from) found.push(page)
    at += length
  })
  return found
}

/**
 * Where an asset stands among all that a query finds, in one answer that lays out the pages, too; -1 if it is not behind
 * the first.
 */
export async function readPosition(
  client: QueryClient,
  library: Library,
  query: AssetQuery,
  assetId: string,
  signal: AbortSignal,
): Promise<number> {
  const first = client.getQueryData<AssetList>(keys.list(library, query))?.pages[0]
  if (!first?.nextCursor) return -1
  const asked = { ...query, limit: pageSize, cursor: first.nextCursor, assetId }
  const { cursors, position } = await api.get<AssetCursors>(`${library.base}/cursors${inUrl(asked)}`, {
    signal,
  })
  layOut(client, library, query, first.nextCursor, withStarts([first.nextCursor, ...cursors]))
  return position === undefined ? -1 : first.assets.length + position
}

/** The ids of all assets that a query finds, or of so many behind a cursor, in order. */
export async function readIds(
  library: Library,
  query: AssetQuery,
  signal?: AbortSignal,
  cursor?: string,
  most = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const ids: string[] = []
  let next = cursor
  do {
    const page = await api.get<AssetIds>(`${library.base}/ids${inUrl({ ...query, cursor: next })}`, {
      signal,
    })
    ids.push(...page.assetIds)
    next = page.nextCursor ?? undefined
  } while (next && ids.length < most)
  return ids
}
