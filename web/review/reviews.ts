import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Asset } from '../../contract/assets.ts'
import {
  type Comment,
  type CommentChange,
  type CommentPage,
  type Decided,
  type Decision,
  type DecisionResults,
  type Decisions,
  mostReviewsCounted,
  type NewComment,
  type People,
  type ReviewAsked,
  type ReviewPage,
  type ReviewQuery,
  type ReviewRequest,
} from '../../contract/review.ts'
import { api, query as inUrl, send } from '../api.ts'
import { keys, showAsset, showAssets } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { newKey } from '../new-key.ts'

export type ReviewFilter = Pick<ReviewQuery, 'mine' | 'approval'>

/** What is in review, page by page. */
export function useReviews(filter: ReviewFilter, enabled = true) {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: [...keys.reviews(library), filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<ReviewPage>(`${library.root}/reviews${inUrl({ ...filter, limit: 30, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** How many wait for the caller's answer. */
export function useReviewCount(): number {
  const library = useLibrary()
  const { data } = useQuery({
    queryKey: [...keys.reviews(library), 'count'],
    queryFn: ({ signal }) =>
      api.get<ReviewPage>(`${library.root}/reviews${inUrl({ mine: true, limit: 1 })}`, { signal }),
    enabled: library.can('assets:read'),
  })
  return data?.total ?? 0
}

/** From some number on they are not counted any more. */
export const shownCount = (count: number, format: { number(count: number): string }) =>
  format.number(count) + (count < mostReviewsCounted ? '' : '+')

const mostPages = 10

/** All that was said of an asset, the oldest first. */
export function useComments(assetId: string) {
  const library = useLibrary()
  return useQuery({
    queryKey: keys.about(library, assetId, 'comments'),
    queryFn: async ({ signal }) => {
      const comments: Comment[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const url = `${library.base}/${assetId}/comments${inUrl({ limit: 200, cursor })}`
        const read = await api.get<CommentPage>(url, { signal })
        comments.push(...read.comments)
        cursor = read.nextCursor ?? undefined
        if (!cursor) break
      }
      return comments.reverse()
    },
  })
}

/** What changes comments changes what waits for whom. */
function useReread(assetId: string) {
  const library = useLibrary()
  const client = useQueryClient()
  return () => {
    client.invalidateQueries({ queryKey: keys.reviews(library) })
    return client.invalidateQueries({ queryKey: keys.about(library, assetId, 'comments') })
  }
}

export function useAddComment(assetId: string) {
  const { base } = useLibrary()
  return useMutation({
    mutationFn: (comment: NewComment) =>
      api.post<Comment>(`${base}/${assetId}/comments`, comment, { idempotencyKey: newKey() }),
    onSuccess: useReread(assetId),
  })
}

export function useChangeComment(assetId: string) {
  const { base } = useLibrary()
  return useMutation({
    mutationFn: ({ commentId, ...change }: CommentChange & { commentId: string }) =>
      api.patch<Comment>(`${base}/${assetId}/comments/${commentId}`, change),
    onSettled: useReread(assetId),
  })
}

export function useDeleteComment(assetId: string) {
  const { base } = useLibrary()
  return useMutation({
    mutationFn: ({ commentId }: Comment) => api.delete(`${base}/${assetId}/comments/${commentId}`),
    onSettled: useReread(assetId),
  })
}

export function useDecide({ assetId }: Asset) {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (decision: Decision) =>
      send<Decided>('PUT', `${library.base}/${assetId}/approval`, { body: decision }),
    onSuccess: ({ body }) => {
      showAsset(client, library, body.asset)
      for (const what of ['versions', 'fits'])
        client.invalidateQueries({ queryKey: keys.about(library, assetId, what) })
      return client.invalidateQueries({ queryKey: keys.reviews(library) })
    },
    // Somebody else may have decided meanwhile.
    onError: () => client.invalidateQueries({ queryKey: keys.asset(library, assetId) }),
  })
}

/** The same answer about many, each in the version that was looked at; what could not be decided is told. */
export function useDecideEach() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (decisions: Decisions) =>
      api.post<DecisionResults>(`${library.root}/reviews/decide`, decisions, { idempotencyKey: newKey() }),
    onSuccess: ({ results }) => {
      showAssets(
        client,
        library,
        results.flatMap(({ asset }) => asset ?? []),
      )
      for (const { assetId } of results)
        for (const what of ['versions', 'fits'])
          client.invalidateQueries({ queryKey: keys.about(library, assetId, what) })
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.reviews(library) }),
  })
}

export function useRequestReview() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: ReviewRequest) =>
      api.post<ReviewAsked>(`${library.root}/reviews`, wish, { idempotencyKey: newKey() }),
    onSuccess: ({ assetIds }) => {
      for (const assetId of assetIds) {
        client.invalidateQueries({ queryKey: keys.asset(library, assetId) })
        client.invalidateQueries({ queryKey: keys.about(library, assetId, 'versions') })
      }
      return client.invalidateQueries({ queryKey: keys.reviews(library) })
    },
  })
}

/** Whom a comment can mention; nobody is looked for while nobody is meant. */
export function usePeople(q: string | undefined) {
  const { root } = useLibrary()
  return useQuery({
    queryKey: [root, 'people', q],
    queryFn: ({ signal }) => api.get<People>(`${root}/reviews/people${inUrl({ q })}`, { signal }),
    // Whoever has said something since can be mentioned, too.
    staleTime: 0,
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
  }).data?.people
}
