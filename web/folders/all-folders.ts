import type { Folder, FolderTree } from '../../contract/folders.ts'
import { api, query as inUrl } from '../api.ts'

interface Reading {
  signal?: AbortSignal
  /** Told after each page of what is there so far. */
  soFar?(folders: Folder[]): void
}

/** All folders of a library, page by page. */
export async function allFolders(base: string, { signal, soFar }: Reading = {}): Promise<FolderTree> {
  const folders: Folder[] = []
  let cursor: string | null = null
  do {
    const page: FolderTree = await api.get(
      `${base}/folders${inUrl({ limit: 2000, ...(cursor && { cursor }) })}`,
      {
        ...(signal && { signal }),
      },
    )
    folders.push(...page.folders)
    cursor = page.nextCursor
    if (cursor) soFar?.([...folders])
  } while (cursor)
  return { folders, nextCursor: null }
}
