import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { DuplicateGroup, KeepAll, KeptGroup, KeptGroupPage } from '../../contract/duplicates.ts'
import { api, query as inUrl } from '../api.ts'
import { keys, reread } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { newKey } from '../new-key.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { idsOf, listsOf, useLists } from './duplicates.ts'

/** How many groups were kept; undefined: not known yet. */
export function useKeptCount(): number | undefined {
  const library = useLibrary()
  const { data } = useQuery({
    queryKey: [...keys.duplicates(library), 'kept-count'],
    queryFn: ({ signal }) =>
      api.get<KeptGroupPage>(`${library.root}/duplicates/kept-groups${inUrl({ limit: 1 })}`, { signal }),
  })
  return data?.count
}

const keptList = (library: Library) => [...listsOf(library), 'kept']

export function useKeptGroups() {
  const library = useLibrary()
  const list = useInfiniteQuery({
    queryKey: keptList(library),
    queryFn: ({ pageParam, signal }) =>
      api.get<KeptGroupPage>(
        `${library.root}/duplicates/kept-groups${inUrl({ limit: 20, cursor: pageParam ?? undefined })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return { list, groups: list.data?.pages.flatMap((page) => page.keptGroups) }
}

/** Keeps all of a group: it shows no more. */
export function useKeepAll(onKept: () => void) {
  const t = useTranslations('duplicates')
  const undo = useUndo()
  const { keep, reopen, failed } = useKeeping()
  const { takeOff, readAgain } = useLists()
  return useMutation({
    mutationFn: (group: DuplicateGroup) =>
      keep({ assetIds: idsOf(group), ...(group.more && { more: group.kind }) }),
    onSuccess: ({ keptGroupId, count }, group) => {
      onKept()
      takeOff(idsOf(group))
      undo.offer(t('keptAll', { count }), async () => {
        await reopen(keptGroupId)
        await readAgain()
      })
    },
    onError: failed,
  })
}

/** Lets a group that was kept show among the duplicates again. */
export function useReopen(onReopened: () => void) {
  const t = useTranslations('duplicates')
  const undo = useUndo()
  const library = useLibrary()
  const client = useQueryClient()
  const { keep, reopen, failed } = useKeeping()
  const { readAgain } = useLists()
  return useMutation({
    mutationFn: ({ keptGroupId }: KeptGroup) => reopen(keptGroupId),
    onSuccess: ({ keptGroupId, assets, count }) => {
      onReopened()
      client.setQueryData<InfiniteData<KeptGroupPage>>(
        keptList(library),
        (list) => list && without(list, keptGroupId),
      )
      void readAgain()
      const text = t('reopened', { title: assets[0]!.title })
      // Of more than are listed nobody knows here which they were.
      if (count > assets.length) return void toast({ about: 'keep', text })
      undo.offer(text, async () => {
        await keep({ assetIds: assets.map(({ assetId }) => assetId) })
        await readAgain()
      })
    },
    onError: failed,
  })
}

const without = (list: InfiniteData<KeptGroupPage>, gone: string): InfiniteData<KeptGroupPage> => ({
  ...list,
  pages: list.pages.map((page) => ({
    ...page,
    keptGroups: page.keptGroups.filter(({ keptGroupId }) => keptGroupId !== gone),
  })),
})

function useKeeping() {
  const library = useLibrary()
  const client = useQueryClient()
  const problemText = useProblemText()
  const path = `${library.root}/duplicates/kept-groups`
  return {
    keep: (wish: KeepAll) => api.post<KeptGroup>(path, wish, { idempotencyKey: newKey() }),
    reopen: (keptGroupId: string) => api.delete<KeptGroup>(`${path}/${keptGroupId}`),
    // Not said in the group, which may be gone when it is read anew.
    failed(error: Error) {
      toast({ about: 'keep', text: problemText(error), bad: true })
      reread(client, keys.duplicates(library))
    },
  }
}
