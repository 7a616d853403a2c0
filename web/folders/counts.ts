import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FolderCounts } from '../../contract/folders.ts'
import { api, query as inUrl } from '../api.ts'
import { keys } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'

/** How many assets the folders right below this one hold, with all that is below them. */
export function useFolderCounts(parentId: string | null, isShown: boolean) {
  const library = useLibrary()
  const { data } = useQuery({
    queryKey: [...keys.folderCounts(library), parentId],
    queryFn: ({ signal }) =>
      api.get<FolderCounts>(`${library.base}/folders/counts${inUrl({ parentId: parentId ?? undefined })}`, {
        signal,
      }),
    enabled: isShown,
  })
  return useMemo(() => {
    const counts = new Map(data?.counts.map(({ folderId, assets }) => [folderId, assets]))
    return (folderId: string) => counts.get(folderId)
  }, [data])
}
