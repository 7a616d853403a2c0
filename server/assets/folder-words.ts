import { sql } from 'kysely'
import { folded } from '../../contract/folding.ts'
import { inOtherWords, searchedWords } from '../../contract/searched-words.ts'
import type { Library } from '../library.ts'
import { isUnknown, knownWords } from './known-words.ts'
import { type Known, looksIntoFolders, type Search } from './search.ts'

/** Of more ways to share words between folders and what is in them, none is likely to be meant. */
const mostWays = 32

/** Folders that have the same of some words in their names, or in those above them. */
export interface Named {
  words: string[]
  folderIds: string[]
}

/** A folder's name as words are looked for in it. */
export interface FolderName {
  id: string
  parentId: string | null
  name: string
}

/**
 * Read once, in however many ways a search is tried: to look through all of them takes the database longer than to tell
 * them. In one text, which takes a third of the time that rows take.
 */
export async function namesOfFolders({ db, clientId }: Library): Promise<FolderName[]> {
  const { rows } = await sql<{ folders: string | null }>`
    select string_agg(id || ' ' || coalesce(parent_id, '') || ' ' || search_text, e'\\x1e' order by id) as folders
    from folders where client_id = ${clientId} and trashed_at is null`.execute(db)
  return (rows[0]?.folders?.split('\x1e') ?? []).map((text) => {
    const [id, parentId] = text.split(' ', 2)
    return { id: id!, parentId: parentId || null, name: text.slice(id!.length + parentId!.length + 2) }
  })
}

/** Of more than these each has no bit of its own. */
const mostWords = 30

export function foldersNamed(folders: FolderName[], query: Search): Named[] {
  const words = searchedWords(query.q)
  if (words.length > mostWords) return []
  const parts = words.map(folded)
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
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
  if (named.length === 0 || named.length > mostWays || !looksIntoFolders(query)) return undefined
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
