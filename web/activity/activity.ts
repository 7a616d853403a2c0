import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ActivityPage, ActivityQuery } from '../../contract/activity.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'

/** What was done in the library, or to one thing in it, newest first. Asked again when `since` is another. */
export function useActivity(query: ActivityQuery, since?: string) {
  const library = useLibrary()
  return useInfiniteQuery({
    queryKey: [...keys.activity(library), query, since],
    queryFn: ({ pageParam, signal }) =>
      api.get<ActivityPage>(`${library.root}/activity${inUrl({ ...query, cursor: pageParam })}`, { signal }),
    initialPageParam: query.cursor,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // Whoever looks wants to see what has just happened.
    staleTime: 0,
  })
}
