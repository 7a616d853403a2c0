import type { AssetSearch } from '../../contract/search.ts'
import { isSearch, searchedWords } from '../../contract/searched-words.ts'
import { openLane } from '../jobs/lane.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { correct, withOthers } from './corrections.ts'
import { type FolderNames, namesOfFolders, someFolderHas } from './folder-names.ts'
import { foldersNamed, inFolders, type Named } from './folder-words.ts'
import { foldersFound } from './found-folders.ts'
import { knownWords, withKnown } from './known-words.ts'
import { nearTo } from './near.ts'
import { orderOf } from './orders.ts'
import { firstRows } from './pages.ts'
import { hasFewWords, isNarrowed, type Search } from './search.ts'
import { cheaply, type Effort, sortKeys } from './ways.ts'

/** To guess at words, to look for many or into many folders takes longer than all else that is asked often: others go first. */
const lane = openLane(2)
const inTurn = <T>({ caller, signal }: Library, work: () => Promise<T>) =>
  lane(work, { name: caller.id, signal })

/**
 * Asks, with what is near the words in its meaning; where no asset has them, asks again for how they may be meant.
 * Whoever asks for words that it looks up itself is not told them.
 */
export async function asMeant<Query extends AssetSearch & { cursor?: string }, Found>(
  library: Library,
  query: Query,
  ask: (query: Query & Search, meant?: string) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
  looksUp: (query: Query) => boolean = () => false,
): Promise<Found> {
  const names = query.byFolder ? await namesOfFolders(library) : undefined
  const placed = names && (await inFolders(library, query, foldersNamed(names, query)))
  const known = placed
    ? placed.known
    : looksUp(query) && !library.meaning
      ? undefined
      : await knownWords(library, query.q)
  const asked = { ...query, ...placed, known }
  const near = await nearTo(library, asked)
  const askFor = (its: Query & Search, meant?: string) =>
    its.placed || !hasFewWords(its) ? inTurn(library, () => ask(its, meant)) : ask(its, meant)
  const found = await askFor({ ...asked, near })
  if (searchedWords(query.q).length === 0 || !isEmpty(found)) return found
  const other = await inTurn(library, async () =>
    otherwise(library, names ?? (await namesOfFolders(library)), asked),
  )
  if (!other) return found
  const { search, meant } = other
  const its = { ...query, ...search }
  // A word that nothing has may be misspelt, and may as well be one that means what others say.
  const isNear = meant === undefined || near?.ids.length
  return askFor({ ...its, near: isNear ? near : await nearTo(library, its) }, meant)
}

/** The search by which something is done to all that it finds: to what has the words, and never to what they may be meant as. */
export async function searchExactly(library: Library, asked: AssetSearch): Promise<Search> {
  if (asked.q?.trim() && !isSearch(asked.q)) throw noWord(asked.q)
  const { search, meant } = await asMeant(
    library,
    asked,
    async (its, meant) => ({
      search: its,
      meant,
      finds: await findsSome(library, { ...its, near: undefined }),
    }),
    ({ finds }) => !finds,
  )
  if (meant !== undefined || (search.placed && !asked.byFolder)) throw meantOtherwise(search)
  if (asked.meaning && searchedWords(asked.q).length > 0 && !search.near) throw meaningUnknown()
  return search
}

/** In a list such a beginning of a word is passed over: here it would mean all there is. */
const noWord = (q: string) =>
  new Problem(
    'invalid-request',
    `“${q}” has no word to search for, so nothing was done. Leave q out if everything is meant.`,
  )

const meantOtherwise = ({ q, placed }: Search) =>
  new Problem(
    'invalid-request',
    `No asset has all of these words, so nothing was done. If what the list shows instead is meant, ask for that: q=${q}${placed ? ' with byFolder=true' : ''}.`,
    { extra: { q, ...(placed && { byFolder: true }) } },
  )

const meaningUnknown = () =>
  new Problem(
    'ai-unavailable',
    'What is similar in meaning cannot be found out now, so nothing was done. Try again, or search by words alone.',
    { headers: { 'retry-after': '30' } },
  )

/**
 * How words are meant that no asset has together: some as those of its folders, or as others. It is the same for all pages,
 * and whatever is asked of them. Undefined where they are meant as they are.
 */
async function otherwise(
  library: Library,
  folders: FolderNames,
  { cursor, until, ...asked }: Search & { cursor?: string; until?: string },
): Promise<Meant | undefined> {
  const isBehind = cursor !== undefined || until !== undefined
  if (isBehind && (await findsSome(library, asked))) return undefined
  const { placed, known, ...plain } = asked
  const query = { ...plain, known: (!placed && known) || (await knownWords(library, plain.q)) }
  const named = query.trashed ? [] : foldersNamed(folders, query)
  const asIs = await withFolders(library, folders, query, named)
  if (asIs) return asIs.placed && { search: asIs }

  const { meant, there } = await correct(
    library,
    folders,
    query,
    named.flatMap(({ words }) => words),
  )
  const corrected = await firstThatFinds(library, folders, query, meant)
  const left = mostTried - meant.length
  if (corrected || there === undefined || left <= 0) return corrected
  const others = await withOthers(library, folders, there)
  return firstThatFinds(library, folders, query, others.slice(0, left))
}

/** To try other words takes as long as the search itself. */
const mostTried = 3

interface Meant {
  search: Search
  meant?: string
}

/** In the first of these words that find something. */
async function firstThatFinds(
  library: Library,
  folders: FolderNames,
  query: Search,
  ways: string[],
): Promise<Meant | undefined> {
  for (const meant of ways) {
    const found = await inWords(library, folders, query, meant)
    if (found) return found
  }
  return undefined
}

/** In other words, if these find something. */
async function inWords(
  library: Library,
  folders: FolderNames,
  query: Search,
  meant: string,
): Promise<Meant | undefined> {
  const its = { ...query, q: meant, known: await knownWords(library, meant, query.known) }
  const isFound = await findsSome(library, its)
  const withNames =
    isFound && !query.byFolder ? its : await withFolders(library, folders, its, foldersNamed(folders, its))
  const search = withNames ?? (isFound ? its : undefined)
  return search && { search, meant }
}

/** By words of folders, too, if that finds an asset; as it is, if folders themselves have all the words. A single word means these. */
async function withFolders(
  library: Library,
  folders: FolderNames,
  query: Search,
  named: Named[],
): Promise<Search | undefined> {
  const meansFolders = searchedWords(query.q).length < 2 && !query.byFolder
  if (meansFolders && (await findsFolders(library, folders, query))) return query
  const placed = await inFolders(library, query, named)
  if (placed && (await findsSome(library, placed))) return placed
  return !meansFolders && (await findsFolders(library, folders, query)) ? query : undefined
}

/** Always by what is known of its words: without that, all that matches the rest of it would be read. */
async function findsSome(library: Library, asked: Search): Promise<boolean> {
  const search = await withKnown(library, asked)
  const order = orderOf('newest', library, search)
  if (search.trashed || search.near) return (await firstRows(library, search, order, sortKeys, 1)).length > 0
  const found = await cheaply(library, search, { columns: sortKeys, order, bounds: [], most: 1 }, toFindOne)
  return found === undefined || found.length > 0
}

/** Of those that match, none is put in order: one will do. */
const toFindOne: Effort = { looked: 300, promising: 1, lookedFurther: 300, sorted: 0 }

async function findsFolders(library: Library, folders: FolderNames, query: Search): Promise<boolean> {
  if (isNarrowed(query) || (!query.trashed && !someFolderHas(folders, query.q))) return false
  if (query.everywhere && !query.trashed) return true
  const { rows } = await foldersFound(library, query, { from: undefined, limit: 1 }).execute(library.db)
  return rows.length > 0
}
