import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AssetPage } from '../../contract/assets.ts'
import {
  type Folder,
  type FolderChange,
  type FolderDeleted,
  type FolderStep,
  type FolderTree,
  type NewFolder,
  parentOf,
} from '../../contract/folders.ts'
import { api, query as inUrl } from '../api.ts'
import { dropFolder, keys, rereadFolders, rereadLists, showFolder } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { byName } from '../library/patch.ts'
import { newKey } from '../new-key.ts'
import { allFolders } from './all-folders.ts'

export interface Tree {
  byId: ReadonlyMap<string, Folder>
  /** The folders in a folder by name; null is the top. */
  inside(folderId: string | null): Folder[]
  /** From the top down to the folder itself; empty for the top or an unknown folder. */
  path(folderId: string | null | undefined): Folder[]
  isLoaded: boolean
}

export function useFolderTree(): Tree {
  const library = useLibrary()
  const { data } = useQuery({
    queryKey: keys.tree(library),
    queryFn: ({ client, queryKey, signal }) =>
      allFolders(library.base, {
        signal,
        // A large tree shows as it comes; one that is there already is not cut short while it is read again.
        soFar: (folders) =>
          client.setQueryData<FolderTree>(queryKey, (shown) =>
            shown && shown.nextCursor === null ? shown : { folders, nextCursor: 'more' },
          ),
      }),
  })
  return useMemo(() => treeOf(data), [data])
}

export function treeOf(data: FolderTree | undefined): Tree {
  const byId = new Map(data?.folders.map((folder) => [folder.folderId, folder]))
  const inside = Map.groupBy(data?.folders ?? [], parentOf)
  for (const folders of inside.values()) folders.sort(byName)
  return {
    byId,
    inside: (folderId) => inside.get(folderId) ?? [],
    path(folderId) {
      const path: Folder[] = []
      for (let at = byId.get(folderId ?? ''); at; at = byId.get(at.parentId ?? '')) path.unshift(at)
      return path
    },
    isLoaded: data !== undefined,
  }
}

/** The folder as it lies in the trash, if it does; that is asked for first. */
export function useTrashedFolder(folderId: string): { trashed: FolderStep | undefined; isAsked: boolean } {
  const { data, isPending } = useQuery({ ...trashedFolder(useLibrary(), folderId), staleTime: 0 })
  return { trashed: data?.at(-1), isAsked: isPending }
}

/** From what was deleted down to the folder: nothing there is ever renamed. Empty if it is gone, undefined until it is known. */
export function useTrashedPath(folderId: string): FolderStep[] | undefined {
  const { data, isError } = useQuery({
    ...trashedFolder(useLibrary(), folderId),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return isError ? [] : data
}

const trashedFolder = ({ base }: Library, folderId: string) =>
  queryOptions({
    queryKey: [base, 'trashed-folder', folderId],
    queryFn: async ({ signal }) =>
      (await api.get<AssetPage>(`${base}${inUrl({ trashed: true, folderId, limit: 1 })}`, { signal })).path,
    retry: false,
  })

export const zipUrl = (library: Library, folderId: string) =>
  `${library.base}/folders/download${inUrl({ folderId })}`

const inside = ({ parentId: _, ...folder }: Folder, parentId: string | null): Folder =>
  parentId === null ? folder : { ...folder, parentId }

interface ChangedFolder {
  after: Folder
  takeBack(): Promise<unknown>
}

/** The changes of folders; each shows at once and throws what the server refuses. */
export function useFolderChanges() {
  const library = useLibrary()
  const client = useQueryClient()
  const url = `${library.base}/folders`

  const patch = async (change: FolderChange): Promise<Folder> => {
    const after = await api.patch<Folder>(url, change)
    showFolder(client, library, after)
    return after
  }

  return {
    async create(folder: NewFolder): Promise<Folder> {
      const made = await api.post<Folder>(url, folder, { idempotencyKey: newKey() })
      showFolder(client, library, made)
      return made
    },
    /** Optimistic: a refusal puts it back before it is thrown. It is taken back unless somebody has changed it since. */
    async change(before: Folder, change: Omit<FolderChange, 'folderId'>): Promise<ChangedFolder> {
      const { parentId = parentOf(before), ...words } = change
      showFolder(client, library, { ...inside(before, parentId), ...words })
      const { folderId, name } = before
      try {
        const after = await patch({ folderId, ...change })
        const still = { name: after.name, parentId: parentOf(after) }
        return { after, takeBack: () => patch({ folderId, name, parentId: parentOf(before), still }) }
      } catch (error) {
        showFolder(client, library, before)
        throw error
      }
    },
    async trash(folder: Pick<Folder, 'folderId'>, options: { force?: true } = {}): Promise<FolderDeleted> {
      const deleted = await api.delete<FolderDeleted>(url, { folderId: folder.folderId, ...options })
      dropFolder(client, library, folder.folderId)
      rereadFolders(client, library)
      return deleted
    },
    async restore(folderId: string): Promise<Folder> {
      const folder = await api.post<Folder>(`${url}/restore`, { folderId })
      showFolder(client, library, folder)
      rereadFolders(client, library)
      rereadLists(client, library, (query) => query.folderId !== undefined)
      return folder
    },
  }
}
