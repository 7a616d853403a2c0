import type { Library } from '../library.ts'
import type { StoredObject } from '../storage/storage.ts'
import { orphansAmong } from './orphans.ts'
import { assetPages, stagedObjects } from './pages.ts'

export interface Removed {
  objects: number
  bytes: number
}

/** What a sweep of the uploads would do before: the sessions it would be done with, and the objects it would remove. */
export interface Before {
  sessions: ReadonlySet<string>
  keys: ReadonlySet<string>
}

/** Removes what no row knows of. As a dry run it only says what it would remove, after that sweep. */
export async function removeOrphans(
  library: Library,
  { grace, dryRun }: { grace: number; dryRun?: Before | undefined },
): Promise<Removed> {
  const removed: Removed = { objects: 0, bytes: 0 }
  const remove = async (found: StoredObject[]) => {
    const orphans = found.filter(({ key }) => !dryRun?.keys.has(key))
    if (!dryRun && orphans.length > 0) await library.storage.delete(orphans.map(({ key }) => key))
    removed.objects += orphans.length
    removed.bytes += orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }
  for await (const { objects, promises } of assetPages(library))
    await remove(await orphansAmong(library, objects, promises, grace, dryRun?.sessions))
  for await (const objects of stagedObjects(library))
    await remove(await orphansAmong(library, objects, new Map(), grace, dryRun?.sessions))
  return removed
}
