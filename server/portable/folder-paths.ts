import { folderPaths as pageOfPaths } from '../folders/pages.ts'
import type { Library } from '../library.ts'

/** The names from the top down to each folder, by its id. */
export async function folderPaths(library: Library): Promise<Map<string, string[]>> {
  const paths = new Map<string, string[]>()
  let cursor: string | null | undefined
  do {
    const page = await pageOfPaths(library, { limit: 1000, ...(cursor && { cursor }) })
    for (const { id, path } of page.folders) paths.set(id, path)
    cursor = page.nextCursor
  } while (cursor)
  return paths
}
