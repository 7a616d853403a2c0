import { sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'
import type { AssetSearch } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { knownWords } from './known-words.ts'
import { nearTo } from './near.ts'
import { nearest, piecesOf } from './nearest-word.ts'
import { orderOf } from './orders.ts'
import { firstRows } from './pages.ts'
import { type Condition, containing, type Known, type Search } from './search.ts'
import { sortKeys } from './ways.ts'

/**
 * Asks, with what is near the words in its meaning; where they find nothing, asks again for what they are nearly spelt like.
 * Whoever asks for words that it looks up itself is not told them.
 */
export async function asMeant<Query extends AssetSearch & { cursor?: string }, Found>(
  library: Library,
  query: Query,
  ask: (query: Query & Search, meant?: string) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
  looksUp: (query: Query) => boolean = () => false,
): Promise<Found> {
  const told = async (its: Query) =>
    looksUp(its) && !library.meaning ? undefined : knownWords(library, its.q)
  const known = await told(query)
  const near = await nearTo(library, { ...query, known })
  const found = await ask({ ...query, known, near })
  if (!query.q || !isEmpty(found)) return found
  const meant = await correct(library, query.q, known ?? (await knownWords(library, query.q)))
  if (meant === undefined) return found
  const corrected = { ...query, q: meant, known: await told({ ...query, q: meant }) }
  // A word that nothing has may be misspelt, and may as well be one that means what others say.
  const again = await ask(
    { ...corrected, near: near?.ids.length ? near : await nearTo(library, corrected) },
    meant,
  )
  return isEmpty(again) ? found : again
}

/** The search by which the list of it is found: what is done to all of a list is done to what the list shows. */
export async function searchAsMeant(library: Library, asked: AssetSearch): Promise<Search> {
  const { search } = await asMeant(
    library,
    asked,
    async (its) => ({ search: its, finds: await findsSome(library, { ...its, near: undefined }) }),
    ({ finds }) => !finds,
  )
  if (asked.meaning && searchedWords(asked.q).length > 0 && !search.near) throw meaningUnknown()
  return search
}

const meaningUnknown = () =>
  new Problem(
    'ai-unavailable',
    'What is similar in meaning cannot be found out now, so nothing was done. Try again, or search by words alone.',
    { headers: { 'retry-after': '30' } },
  )

async function findsSome(library: Library, search: Search): Promise<boolean> {
  const first = await firstRows(library, search, orderOf('newest', library, search), sortKeys, 1)
  return first.length > 0
}

/** Where more than these are nowhere, it is not that they are misspelt. */
const mostMisspelt = 3

/** The words with those that nothing has replaced by some that are there; undefined if there is nothing to replace. */
async function correct(library: Library, q: string, { absent }: Known): Promise<string | undefined> {
  const words = searchedWords(q).map(folded)
  const misspelt = absent.filter((word) => words.includes(word) && /^\p{L}{4,40}$/u.test(word))
  if (misspelt.length > mostMisspelt) return undefined
  const nearby = await Promise.all(
    misspelt.map(async (word) => [word, await nearestTo(library, word)] as const),
  )
  const known = new Map(nearby)
  const meant = words.map((word) => known.get(word) ?? word)
  return meant.every((word, at) => word === words[at]) ? undefined : meant.join(' ')
}

async function nearestTo({ db, clientId }: Library, word: string): Promise<string | undefined> {
  const known = sql`select word from asset_words where client_id = ${clientId}`
  const { rows } = await sql<{ word: string }>`${candidates(known, word)} limit 2000`.execute(db)
  return nearest(
    word,
    rows.map((row) => row.word),
  )
}

/** What has a piece of the word is found sooner than what is alike. */
function candidates(known: Condition, word: string): Condition {
  const pieces = piecesOf(word)
  if (!pieces) return sql`${known} and word % ${word} union ${known} and ${word} <% word`
  const having = pieces.map(({ text }) => sql`word like ${containing(text)}`)
  return sql`${known} and (${sql.join(having, sql` or `)})`
}
