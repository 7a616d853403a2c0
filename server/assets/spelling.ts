import { sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'
import type { AssetSearch } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { knownWords } from './known-words.ts'
import { nearTo } from './near.ts'
import { nearest } from './nearest-word.ts'
import { orderOf } from './orders.ts'
import { firstRows } from './pages.ts'
import type { Search } from './search.ts'
import { sortKeys } from './ways.ts'

/** Asks, with what is near the words in its meaning; where they find nothing, asks again for what they are nearly spelt like. */
export async function asMeant<Query extends AssetSearch & { cursor?: string }, Found>(
  library: Library,
  query: Query,
  ask: (query: Query & Search, meant?: string) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
): Promise<Found> {
  const known = await knownWords(library, query.q)
  const near = await nearTo(library, { ...query, known })
  const found = await ask({ ...query, known, near })
  if (!query.q || !isEmpty(found)) return found
  const meant = await correct(library, query.q)
  if (meant === undefined) return found
  const corrected = { ...query, q: meant, known: await knownWords(library, meant) }
  // A word that nothing has may be misspelt, and may as well be one that means what others say.
  return ask({ ...corrected, near: near?.ids.length ? near : await nearTo(library, corrected) }, meant)
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

/** The words with those that nothing has replaced by some that are there; undefined if there is nothing to replace. */
async function correct(library: Library, q: string): Promise<string | undefined> {
  const words = searchedWords(q).map(folded)
  const meant = await Promise.all(words.map((word) => correctWord(library, word)))
  return meant.every((word, at) => word === words[at]) ? undefined : meant.join(' ')
}

async function correctWord({ db, clientId }: Library, word: string): Promise<string> {
  if (!/^\p{L}{4,40}$/u.test(word)) return word
  const { rows } = await sql<{ known: boolean; alike: string[] }>`select
    exists (select from asset_words where client_id = ${clientId} and word like ${`%${word}%`}) as known,
    array(
      select word from asset_words where client_id = ${clientId} and word % ${word}
      union select word from asset_words where client_id = ${clientId} and ${word} <% word limit 200) as alike`.execute(
    db,
  )
  const { known, alike } = rows[0]!
  return known ? word : (nearest(word, alike) ?? word)
}
