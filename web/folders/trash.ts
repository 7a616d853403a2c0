import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TrashContents, TrashEmptied } from '../../contract/trash.ts'
import { api, query as inUrl } from '../api.ts'
import { dropAsset, dropFolder, keys, rereadFolders } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'

/** How much emptying the trash, or one folder in it, would remove. */
export function useTrashContents(folderId?: string, enabled = true) {
  const library = useLibrary()
  return useQuery({
    queryKey: keys.trash(library, folderId),
    queryFn: ({ signal }) =>
      api.get<TrashContents>(`${library.base}/trash${inUrl({ folderId })}`, { signal }),
    staleTime: 0,
    enabled,
  }).data
}

/** Removes for good; each throws what the server refuses. */
export function usePurging() {
  const library = useLibrary()
  const client = useQueryClient()

  /** A very full trash takes several requests. */
  async function emptyTrash(folderId?: string): Promise<TrashEmptied> {
    let done = await api.delete<TrashEmptied>(`${library.base}/trash${inUrl({ folderId })}`)
    while (done.more) {
      const next = await api.delete<TrashEmptied>(`${library.base}/trash${inUrl({ folderId })}`)
      const deleted = {
        assets: done.deleted.assets + next.deleted.assets,
        folders: done.deleted.folders + next.deleted.folders,
      }
      done = { ...next, deleted, freedBytes: done.freedBytes + next.freedBytes }
    }
    if (folderId && done.deleted.folders > 0) dropFolder(client, library, folderId)
    rereadFolders(client, library)
    client.invalidateQueries({ queryKey: keys.trash(library) })
    return done
  }

  async function deleteForGood(assetId: string): Promise<void> {
    await api.delete(`${library.base}/${assetId}${inUrl({ permanently: true })}`)
    dropAsset(client, library, assetId)
    client.invalidateQueries({ queryKey: keys.trash(library) })
  }

  return { emptyTrash, deleteForGood }
}
