import { sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'
import type { AssetSearch } from '../../contract/search.ts'
import type { Library } from '../library.ts'
import { nearest } from './nearest-word.ts'
import { conditionsOf } from './search.ts'

/** Asks; where the words find nothing, asks again for what they are nearly spelt like. */
export async function asMeant<Query extends { q?: string }, Found>(
  library: Library,
  query: Query,
  ask: (query: Query, meant?: string) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
): Promise<Found> {
  const found = await ask(query)
  if (!query.q || !isEmpty(found)) return found
  const meant = await correct(library, query.q)
  return meant === undefined ? found : ask({ ...query, q: meant }, meant)
}

/** The search by which the list of it is found: what is done to all of a list is done to what the list shows. */
export async function searchAsMeant(library: Library, search: AssetSearch): Promise<AssetSearch> {
  const found = await asMeant(
    library,
    search,
    async (its) => ({ search: its, finds: await findsSome(library, its) }),
    ({ finds }) => !finds,
  )
  return found.search
}

async function findsSome(library: Library, search: AssetSearch): Promise<boolean> {
  const conditions = sql.join(conditionsOf(library, search), sql` and `)
  const { rows } = await sql`select from assets where ${conditions} limit 1`.execute(library.db)
  return rows.length > 0
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
    array(select distinct word from asset_words
      where client_id = ${clientId} and (word % ${word} or ${word} <% word) limit 200) as alike`.execute(db)
  const { known, alike } = rows[0]!
  return known ? word : (nearest(word, alike) ?? word)
}
