import { sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'
import type { Library } from '../library.ts'
import { nearest, nearestOther, type Piece, piecesOf } from './nearest-word.ts'
import { type Condition, containing, type Search } from './search.ts'

/** Where more than these are nowhere, it is not that they are misspelt; nor are more that are there taken for others. */
const mostMisspelt = 3

/**
 * The words with those that nothing has replaced by some that are there; undefined if there is nothing to replace. And
 * whether all of them are there now.
 */
export async function correct(library: Library, { q, known }: Search, named: string[]) {
  const words = searchedWords(q).map(folded)
  const ofFolders = new Set(named.map(folded))
  const nowhere = known!.absent.filter((part) => !ofFolders.has(part))
  const misspelt = nowhere.filter((word) => words.includes(word) && /^\p{L}{4,40}$/u.test(word))
  if (misspelt.length > mostMisspelt) return { areThere: false }
  const nearby = new Map(
    await Promise.all(misspelt.map(async (word) => [word, await nearestTo(library, word, nearest)] as const)),
  )
  const meant = words.map((word) => nearby.get(word) ?? word)
  return {
    meant: meant.every((word, at) => word === words[at]) ? undefined : meant.join(' '),
    areThere: nowhere.every((word) => nearby.get(word)),
  }
}

/** The words with one of them replaced by another that is there: it may be misspelt elsewhere, too. */
export async function withOthers(library: Library, q: string): Promise<string[]> {
  const words = searchedWords(q).map(folded)
  const long = [...new Set(words)].filter((word) => /^\p{L}{6,40}$/u.test(word)).slice(0, mostMisspelt)
  const others = await Promise.all(long.map((word) => nearestTo(library, word, nearestOther)))
  return long.flatMap((word, at) => {
    const other = others[at]
    return other ? [words.map((each) => (each === word ? other : each)).join(' ')] : []
  })
}

/** Of the words of assets and of folders. */
async function nearestTo({ db, clientId }: Library, word: string, choose: typeof nearest) {
  const pieces = piecesOf(word)
  const near = pieces ? [having(sql`word`, pieces)] : [sql`word % ${word}`, sql`${word} <% word`]
  const ofAssets = near.map(
    (its) => sql`select word from asset_words where client_id = ${clientId} and ${its}`,
  )
  // All names together: to look for words in each of them takes longer.
  const names = sql`select string_agg(search_text, ' ') from folders
    where client_id = ${clientId} and trashed_at is null${pieces ? sql` and ${having(sql`search_text`, pieces)}` : sql``}`
  const ofFolders = sql`select word from words_in((${names})) as word where ${sql.join(near, sql` or `)}`
  const { rows } = await sql<{ word: string }>`(${sql.join(ofAssets, sql` union `)} limit 2000)
    union (${ofFolders} limit 2000) order by word`.execute(db)
  return choose(
    word,
    rows.map((row) => row.word),
  )
}

/** What has a piece of the word is found sooner than what is alike. */
const having = (text: Condition, pieces: Piece[]): Condition =>
  sql`(${sql.join(
    pieces.map((piece) => sql`${text} like ${containing(piece.text)}`),
    sql` or `,
  )})`
