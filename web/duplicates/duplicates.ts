import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import type { DuplicateGroup, DuplicateKind, DuplicatePage, KeptOne } from '../../contract/duplicates.ts'
import { api, query as inUrl } from '../api.ts'
import { keys, reread } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { newKey } from '../new-key.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'

/** So many are on the page before somebody asks for more. */
const enough = 10

/** A page of the server's may hold none: it is asked on until there are some to show, or no more. */
export function useDuplicates(kind: DuplicateKind) {
  const library = useLibrary()
  const list = useInfiniteQuery({
    queryKey: [...keys.duplicates(library), kind],
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
  return { list, groups, isLooking: list.isPending || hasTooFew }
}

/** Keeps one of a group; the others can be taken out of the trash again. */
export function useKeepOne() {
  const t = useTranslations('duplicates')
  const library = useLibrary()
  const client = useQueryClient()
  const undo = useUndo()
  const problemText = useProblemText()
  const startOver = () => client.resetQueries({ queryKey: keys.duplicates(library) })
  return useMutation({
    mutationFn: ({ group, keep }: { group: DuplicateGroup; keep: string }) => {
      const others = group.duplicates.map(({ asset }) => asset.assetId).filter((id) => id !== keep)
      return api.post<KeptOne>(
        `${library.root}/duplicates/keep`,
        { keep, others },
        { idempotencyKey: newKey() },
      )
    },
    onSuccess: async ({ asset, merged }) => {
      await startOver()
      undo.offer(t('kept', { title: asset.title, count: merged.length }), async () => {
        await api.post(`${library.base}/batch`, { assetIds: merged, action: 'restore' })
        await startOver()
      })
    },
    // Not said in the group, which may be gone when it is read anew.
    onError: (error) => {
      toast({ about: 'keep', text: problemText(error), bad: true })
      reread(client, keys.duplicates(library))
    },
  })
}
