import { sql } from 'kysely'
import { inOtherWords, searchedWords } from '../../contract/folding.ts'
import type { Library } from '../library.ts'
import { isUnknown, knownWords } from './known-words.ts'
import { containing, isNarrowed, type Known, looksIntoFolders, type Search } from './search.ts'

/** Of more ways to share words between folders and what is in them, none is likely to be meant. */
const mostWays = 32

/** Folders that have the same of some words in their names, or in those above them. */
export interface Named {
  words: string[]
  folderIds: string[]
}

/** Of more than these each has no bit of its own. */
const mostWords = 30

export async function foldersNamed({ db, clientId }: Library, query: Search): Promise<Named[]> {
  const words = searchedWords(query.q)
  if (words.length > mostWords || meansFolder(query, words)) return []
  const has = sql.join(
    words.map((word, at) => sql`((f.search_text like ${containing(word)}::text)::integer << ${sql.lit(at)})`),
    sql` | `,
  )
  const { rows } = await sql<{ has: number; folderIds: string[] }>`
    with recursive down as (
      select f.id, ${has} as has from folders f
      where f.client_id = ${clientId} and f.parent_id is null and f.trashed_at is null
      union all
      select f.id, down.has | ${has} from down
      join folders f on f.client_id = ${clientId} and f.parent_id = down.id and f.trashed_at is null
    )
    select has, array_agg(id) as "folderIds" from down where has > 0 group by has`.execute(db)
  return rows.map(({ has, folderIds }) => ({
    words: words.filter((_, at) => has & (1 << at)),
    folderIds,
  }))
}

/** A single word means the folder itself, where folders are shown. */
const meansFolder = (query: Search, words: string[]) =>
  words.length < 2 && !query.byFolder && !isNarrowed(query)

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
