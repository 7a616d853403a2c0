import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  NewPullGrant,
  PullGrant,
  PullGrantPage,
  PullGrantQuery,
  PullGrantWithUrl,
} from '../../contract/deliveries.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { newKey } from '../new-key.ts'

const pageSize = 10

const pullGrantsUrl = ({ clientId }: Library) => `/admin/clients/${clientId}/pull-grants`

/** Newest first, page by page. */
export function usePullGrants(query: PullGrantQuery) {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: keys.pullGrants(library, query),
    queryFn: ({ pageParam, signal }) =>
      api.get<PullGrantPage>(
        `${pullGrantsUrl(library)}${inUrl({ ...query, limit: pageSize, cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // They expire without anybody saying so.
    staleTime: 0,
  })
}

function useRereadPullGrants() {
  const library = useLibrary()
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keys.everyPullGrant(library) })
}

export function useCreatePullGrant() {
  const library = useLibrary()
  const reread = useRereadPullGrants()
  return useMutation({
    mutationFn: (wish: NewPullGrant) =>
      api.post<PullGrantWithUrl>(pullGrantsUrl(library), wish, { idempotencyKey: newKey() }),
    onSuccess: reread,
  })
}

export function useRevokePullGrant() {
  const library = useLibrary()
  const reread = useRereadPullGrants()
  return useMutation({
    mutationFn: ({ pullGrantId }: PullGrant) => api.delete(`${pullGrantsUrl(library)}/${pullGrantId}`),
    onSettled: reread,
  })
}
