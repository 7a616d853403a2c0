import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset, AssetChange } from '../../contract/assets.ts'
import {
  type DuplicateGroup,
  type DuplicateKind,
  type DuplicatePage,
  duplicateKinds,
  type KeptOne,
  type Limits,
} from '../../contract/duplicates.ts'
import { api, query as inUrl, isProblem, send } from '../api.ts'
import { keys, reread } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { newKey } from '../new-key.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { eachOnce } from './each-once.ts'
import { useLimitWords } from './limits.ts'

/** Of duplicates, and of those that were kept. */
export const listsOf = (library: Library) => [...keys.duplicates(library), 'list'] as const

/** What was decided goes off the lists at once; what stays keeps its place until all is read anew. */
export function useLists() {
  const library = useLibrary()
  const client = useQueryClient()
  const readAgain = () => client.invalidateQueries({ queryKey: keys.duplicates(library) })
  return {
    readAgain,
    takeOff(assetIds: string[]) {
      for (const kind of duplicateKinds)
        client.setQueryData<InfiniteData<DuplicatePage>>(
          [...listsOf(library), kind],
          (list) => list && without(list, assetIds),
        )
      void readAgain()
    },
  }
}

/** So many are on the page before somebody asks for more. */
const enough = 10

/** A page of the server's may hold none: it is asked on until there are some to show, or no more. */
export function useDuplicates(kind: DuplicateKind) {
  const library = useLibrary()
  const list = useInfiniteQuery({
    queryKey: [...listsOf(library), kind],
    queryFn: ({ pageParam, signal }) =>
      api.get<DuplicatePage>(
        `${library.root}/duplicates${inUrl({ kind, limit: 20, cursor: pageParam ?? undefined })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const groups = list.data?.pages.flatMap((page) => page.groups)
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  const hasTooFew = groups !== undefined && groups.length < enough && hasNextPage && !isError
  const wantsMore = hasTooFew && !isFetching
  useEffect(() => {
    if (wantsMore) void fetchNextPage()
  }, [wantsMore, fetchNextPage])
  return { list, groups: groups && eachOnce(groups), isLooking: list.isPending || hasTooFew }
}

/** One of a group, and those that go to the trash for it. */
export interface Keeping {
  keep: Asset
  others: Asset[]
}

/** Of the others, those that are still in a group with the one that is to be kept. */
export function stillThere({ keep, others }: Keeping, groups: DuplicateGroup[]): Asset[] {
  const group = groups.find((each) => idsOf(each).includes(keep.assetId))
  return group ? others.filter(({ assetId }) => idsOf(group).includes(assetId)) : []
}

export const idsOf = ({ duplicates }: DuplicateGroup) => duplicates.map(({ asset }) => asset.assetId)

/** Keeps one of a group; the others can be taken out of the trash again. */
export function useKeepOne(onKept: () => void) {
  const t = useTranslations('duplicates')
  const library = useLibrary()
  const client = useQueryClient()
  const undo = useUndo()
  const problemText = useProblemText()
  const { takeOff, readAgain } = useLists()
  const limitWords = useLimitWords()
  return useMutation({
    mutationFn: ({ keep, others }: Keeping) =>
      api.post<KeptOne>(
        `${library.root}/duplicates/keep`,
        { keep: keep.assetId, others: others.map(({ assetId }) => assetId) },
        { idempotencyKey: newKey() },
      ),
    // An older node does not say what was before.
    onSuccess: ({ asset, merged, before = {} }, keeping) => {
      onKept()
      takeOff(merged)
      const limits = limitWords(asset).flatMap(({ field, text }) => (field in before ? [text] : []))
      const kept = { title: asset.title, count: merged.length }
      const said =
        limits.length > 0 ? t('keptLimited', { ...kept, limits: limits.join(' · ') }) : t('kept', kept)
      undo.offer(said, async () => {
        await api.post(`${library.base}/batch`, { assetIds: merged, action: 'restore' })
        await giveBack(library, asset, { ...takenFrom(keeping, asset), limits: before })
        await readAgain()
      })
    },
    // Not said in the group, which may be gone when it is read anew.
    onError: (error) => {
      toast({ about: 'keep', text: problemText(error), bad: true })
      reread(client, keys.duplicates(library))
    },
  })
}

function without(list: InfiniteData<DuplicatePage>, gone: string[]): InfiniteData<DuplicatePage> {
  const left = ({ duplicates, ...group }: DuplicateGroup): DuplicateGroup => ({
    ...group,
    duplicates: duplicates.filter(({ asset }) => !gone.includes(asset.assetId)),
  })
  return {
    ...list,
    pages: list.pages.map((page) => ({
      ...page,
      groups: page.groups.map(left).filter(({ duplicates }) => duplicates.length > 1),
    })),
  }
}

interface Taken {
  texts: ('altText' | 'description')[]
  tags: string[]
  /** Its own, in the place of which those of the others count. */
  limits: Partial<Limits>
}

/** What the one that was kept says since it was, and one of the others said. */
function takenFrom({ keep: before, others }: Keeping, kept: Asset): Omit<Taken, 'limits'> {
  return {
    texts: (['altText', 'description'] as const).filter(
      (field) => !before[field] && kept[field] && others.some((other) => other[field] === kept[field]),
    ),
    tags: kept.tags.filter(
      (tag) => !before.tags.includes(tag) && others.some((other) => other.tags.includes(tag)),
    ),
  }
}

/** It says no more what it took, and has its own limits, unless somebody has written something else there since. */
async function giveBack(library: Library, kept: Asset, taken: Taken): Promise<void> {
  const limited = Object.keys(taken.limits) as (keyof Limits)[]
  if (taken.texts.length + taken.tags.length + limited.length === 0) return
  const path = `${library.base}/${kept.assetId}`
  const { body: now, etag } = await send<Asset>('GET', path)
  const texts = taken.texts.filter((field) => now[field] === kept[field])
  const tags = now.tags.filter((tag) => !taken.tags.includes(tag))
  const change: AssetChange = {
    ...Object.fromEntries(texts.map((field) => [field, ''])),
    ...(tags.length < now.tags.length && { tags }),
    ...Object.fromEntries(
      limited
        .filter((field) => `${now[field]}` === `${kept[field]}`)
        .map((field) => [field, taken.limits[field]]),
    ),
  }
  if (now.trashedAt || Object.keys(change).length === 0) return
  try {
    await api.patch(path, change, { ifMatch: etag })
  } catch (error) {
    if (!isProblem(error, 'changed-meanwhile')) throw error
    return giveBack(library, kept, taken)
  }
}
