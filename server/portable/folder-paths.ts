import { folderTree } from '../folders/folders.ts'
import type { Library } from '../library.ts'

/** The names from the top down to each folder, by its id. */
export async function folderPaths(library: Library): Promise<Map<string, string[]>> {
  const { folders } = await folderTree(library)
  const byId = new Map(folders.map((folder) => [folder.folderId, folder]))
  const pathOf = (folderId: string | null): string[] => {
    const folder = byId.get(folderId ?? '')
    return folder ? [...pathOf(folder.parentId), folder.name] : []
  }
  return new Map(folders.map(({ folderId }) => [folderId, pathOf(folderId)]))
}
