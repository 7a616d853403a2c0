import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FolderCounts, parentOf } from '../../contract/folders.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { useFolderTree } from './folders.ts'

/** How many assets the folders right below this one hold, with all that is below them. */
const countsQuery = (library: Library, parentId: string | null, trashed = false) =>
  queryOptions({
    queryKey: [...keys.folderCounts(library), parentId, trashed],
    queryFn: ({ signal }) => {
      const query = inUrl({ parentId: parentId ?? undefined, trashed: trashed || undefined })
      return api.get<FolderCounts>(`${library.base}/folders/counts${query}`, { signal })
    },
  })

export function useFolderCounts(parentId: string | null, trashed: boolean, isShown: boolean) {
  const library = useLibrary()
  const { data } = useQuery({ ...countsQuery(library, parentId, trashed), enabled: isShown })
  return useMemo(() => {
    const counts = new Map(data?.counts.map(({ folderId, assets }) => [folderId, assets]))
    return (folderId: string) => counts.get(folderId)
  }, [data])
}

/** How many assets these folders hold together, wherever they are: asked for where it is not known yet. */
export function useCountAssets() {
  const library = useLibrary()
  const client = useQueryClient()
  const tree = useFolderTree()
  return async (folderIds: string[]): Promise<number> => {
    const parents = new Set(folderIds.flatMap((id) => tree.byId.get(id) ?? []).map(parentOf))
    const known = await Promise.all(
      [...parents].map((parent) =>
        client.fetchQuery({ ...countsQuery(library, parent), staleTime: Number.POSITIVE_INFINITY }),
      ),
    )
    return known
      .flatMap(({ counts }) => counts)
      .filter(({ folderId }) => folderIds.includes(folderId))
      .reduce((sum, { assets }) => sum + assets, 0)
  }
}
