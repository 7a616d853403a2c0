import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewShareLink, ShareLink, ShareLinkPage, ShareLinkWithUrl } from '../../contract/shares.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { newKey } from '../new-key.ts'

const shareLinksUrl = ({ base }: Library) => base.replace(/assets$/, 'share-links')

/** Newest first, page by page. */
export function useShareLinks() {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: keys.shareLinks(library),
    queryFn: ({ pageParam, signal }) =>
      api.get<ShareLinkPage>(`${shareLinksUrl(library)}${inUrl({ limit: 20, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // They expire without anybody doing anything.
    staleTime: 0,
  })
}

export function useCreateShareLink() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: NewShareLink) =>
      api.post<ShareLinkWithUrl>(shareLinksUrl(library), wish, { idempotencyKey: newKey() }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.shareLinks(library) }),
  })
}

export function useRevokeShareLink() {
  const library = useLibrary()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ shareLinkId }: ShareLink) => api.delete(`${shareLinksUrl(library)}/${shareLinkId}`),
    onSettled: () => client.invalidateQueries({ queryKey: keys.shareLinks(library) }),
  })
}
