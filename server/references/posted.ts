import { editRows } from '../assets/assets.ts'
import { folderAt } from '../folders/folders.ts'
import { postedPath } from '../folders/protected.ts'
import { foldersBelow } from '../folders/tree.ts'
import type { Change, Library } from '../library.ts'
import type { Found } from './resolve.ts'

/**
 * Puts what was posted under Social/Posted, and answers which assets. Each is put there once per use: whoever moves
 * it elsewhere afterwards keeps it there. The folders belong to the Social agent, but keeping them is our part.
 */
export async function filePosted(
  its: Change,
  library: Library,
  found: Found[],
  filedBefore: string[],
): Promise<string[]> {
  const posted = new Map(found.map(({ asset }) => [asset.id, asset]))
  const fresh = [...posted.values()].filter(({ id, trashed_at }) => !trashed_at && !filedBefore.includes(id))
  if (fresh.length === 0) return []
  const folder = await folderAt(its, library, postedPath)
  const below = new Set((await foldersBelow(its.trx, library, folder.id)).map(({ id }) => id))
  const elsewhere = fresh.filter(({ folder_id }) => folder_id === null || !below.has(folder_id))
  if (elsewhere.length > 0)
    await editRows(
      its,
      library,
      elsewhere.map(({ id }) => id),
      { folderId: folder.id },
    )
  return fresh.map(({ id }) => id)
}
