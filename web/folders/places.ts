import { folded, hasWord } from '../../contract/folding.ts'
import type { Tree } from './folders.ts'

interface PlaceOption {
  folderId: string | null
  name: string
  depth: number
  /** Where it is; only among hits, which do not stand below it. */
  path?: string
}

/** Everywhere these could go: never into themselves, and folders never into what the Social agent shapes. */
export function placesOf(tree: Tree, ids: string[], words: string, root: string): PlaceOption[] {
  const moving = new Set(ids)
  const movesFolders = ids.some((id) => tree.byId.has(id))
  const wanted = folded(words)
    .split(/[\s/›]+/)
    .filter(Boolean)
  const places: PlaceOption[] = []
  const offer = (folderId: string | null, path: string[]) => {
    const name = path.at(-1) ?? root
    if (!wanted.length) places.push({ folderId, name, depth: path.length })
    else if (isMeant(name, path))
      places.push({
        folderId,
        name,
        depth: 0,
        path: folderId ? [root, ...path.slice(0, -1)].join(' › ') : undefined,
      })
  }
  // All of the words in its path, and one of them in its name: not everything below.
  const isMeant = (name: string, path: string[]) =>
    wanted.some((word) => hasWord(name, word)) &&
    wanted.every((word) => [name, ...path].some((step) => hasWord(step, word)))
  const walk = (parentId: string | null, above: string[]) => {
    for (const folder of tree.inside(parentId)) {
      if (moving.has(folder.folderId)) continue
      const path = [...above, folder.name]
      if (!(movesFolders && folder.protected)) offer(folder.folderId, path)
      walk(folder.folderId, path)
    }
  }
  offer(null, [])
  walk(null, [])
  return places
}
