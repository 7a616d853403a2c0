import { type Folder, longestFolderName, parentOf } from '../../contract/folders.ts'
import { plainly } from '../../contract/words.ts'
import { api, isProblem } from '../api.ts'
import { allFolders } from '../folders/all-folders.ts'

/** Re-makes dropped folders below a folder of the library; those that are there already are used. */
export function folderMaker(base: string) {
  const paths = new Map<string, Promise<string | null>>()
  let tree: Promise<Folder[]> | undefined

  const readTree = async () => (await allFolders(base)).folders

  function folderAt(top: string | null, path: readonly string[]): Promise<string | null> {
    const name = path.at(-1)
    if (name === undefined) return Promise.resolve(top)
    const key = path.map(nameKey).join('/')
    const known = paths.get(key)
    if (known) return known
    const made = folderAt(top, path.slice(0, -1)).then((parentId) => child(parentId, tidyName(name)))
    paths.set(key, made)
    made.catch(() => paths.delete(key))
    return made
  }

  async function child(parentId: string | null, name: string): Promise<string> {
    tree ??= readTree()
    const there = childNamed(await tree, parentId, name)
    if (there) return there.folderId
    try {
      return (await api.post<Folder>(`${base}/folders`, { name, parentId })).folderId
    } catch (error) {
      if (!isProblem(error, 'folder-name-taken')) throw error
      tree = readTree()
      const taken = childNamed(await tree, parentId, name)
      if (!taken) throw error
      return taken.folderId
    }
  }

  /** The folder, if it is there: nothing is made. Undefined where it is not, and so nothing can lie in it. */
  async function find(top: string | null, path: readonly string[]): Promise<string | null | undefined> {
    if (path.length === 0) return top
    tree ??= readTree()
    const folders = await tree.catch(() => [])
    let at: string | null | undefined = top
    for (const name of path) {
      at = childNamed(folders, at, tidyName(name))?.folderId
      if (at === undefined) return undefined
    }
    return at
  }

  return Object.assign(folderAt, { find })
}

export type FolderAt = ReturnType<typeof folderMaker>

const childNamed = (folders: Folder[], parentId: string | null, name: string) =>
  folders.find((folder) => parentOf(folder) === parentId && nameKey(folder.name) === nameKey(name))

/** What makes two names the same among siblings. */
const nameKey = (name: string) => tidyName(name).toLowerCase()

/** A name from a disk as the library takes it. */
export const tidyName = (name: string) =>
  [...plainly(name.normalize('NFC').replace(/[/\p{Cc}]/gu, '-'))]
    .slice(0, longestFolderName)
    .join('')
    .trim() || '-'
