import { folded } from '../../contract/folding.ts'
import { inOtherWords, searchedWords } from '../../contract/searched-words.ts'
import type { Library } from '../library.ts'
import type { FolderNames } from './folder-names.ts'
import { isUnknown, knownWords } from './known-words.ts'
import { type Known, looksIntoFolders, type Search } from './search.ts'

/** Of more ways to share words between folders and what is in them, none is likely to be meant. */
const mostWays = 32

/** Folders that have the same of some words in their names, or in those above them. */
export interface Named {
  words: string[]
  folderIds: string[]
}

/** Of more than these each has no bit of its own. */
const mostWords = 30

export function foldersNamed({ folders, byId, text }: FolderNames, query: Search): Named[] {
  const words = searchedWords(query.q)
  if (words.length > mostWords) return []
  const parts = words.map(folded)
  if (!parts.some((part) => text.includes(part))) return []
  const known = new Map<string | null, number>([[null, 0]])
  const has = (id: string | null): number => {
    const its = known.get(id)
    if (its !== undefined) return its
    const { parentId, name } = byId.get(id!) ?? { parentId: null, name: '' }
    const own = parts.reduce((bits, part, at) => (name.includes(part) ? bits | (1 << at) : bits), 0)
    known.set(id, has(parentId) | own)
    return known.get(id)!
  }
  const named = Map.groupBy(folders, ({ id }) => has(id))
  named.delete(0)
  return [...named].map(([bits, those]) => ({
    words: words.filter((_, at) => bits & (1 << at)),
    folderIds: those.map(({ id }) => id),
  }))
}

/** What has each word by itself or by the folders it is in; undefined where nothing can. */
export async function inFolders(
  library: Library,
  query: Search,
  named: Named[],
): Promise<Search | undefined> {
  const words = searchedWords(query.q)
  const looks = looksIntoFolders(query) || (query.byFolder && !query.trashed)
  if (named.length === 0 || named.length > mostWays || !looks) return undefined
  const known = new Map(
    await Promise.all(
      words.map(async (word) => [word, await knownWords(library, word, query.known)] as const),
    ),
  )
  const anywhere = { words: [] as string[], folderIds: undefined }
  const placed = [anywhere, ...named]
    .map(({ words: theirs, folderIds }) => {
      const rest = words.filter((word) => !theirs.includes(word))
      return { folderIds, q: inOtherWords(query.q, rest), known: all(rest.map((word) => known.get(word)!)) }
    })
    .filter((one) => !isUnknown(one))
  return placed.length > 0 ? { ...query, placed, known: all([]) } : undefined
}

const all = (known: Known[]): Known => ({
  lists: known.flatMap(({ lists }) => lists),
  absent: known.flatMap(({ absent }) => absent),
  numbers: known.flatMap(({ numbers }) => numbers),
  byPart: new Map(known.flatMap(({ byPart }) => [...byPart])),
})
