import type { Library } from '../library.ts'
import type { StoredObject } from '../storage/storage.ts'
import { orphansAmong } from './orphans.ts'
import { stagedObjects, stretches } from './stretches.ts'

export interface Removed {
  objects: number
  bytes: number
}

/** Removes what no row knows of. With `dryRun` it only says what it would remove. */
export async function removeOrphans(
  library: Library,
  { grace, dryRun }: { grace: number; dryRun: boolean },
): Promise<Removed> {
  const removed: Removed = { objects: 0, bytes: 0 }
  const remove = async (orphans: StoredObject[]) => {
    if (!dryRun && orphans.length > 0) await library.storage.delete(orphans.map(({ key }) => key))
    removed.objects += orphans.length
    removed.bytes += orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }
  for await (const { objects, promises } of stretches(library))
    await remove(await orphansAmong(library, objects, promises, grace))
  for await (const objects of stagedObjects(library))
    await remove(await orphansAmong(library, objects, new Map(), grace))
  return removed
}
