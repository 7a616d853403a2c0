import { sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Reader } from '../db/reader.ts'
import type { Library } from '../library.ts'
import { type Condition, containing, idInRef, type Known, type Search } from './search.ts'
import { hasAll, hasSome, seen } from './sought.ts'

/** A part that more words have is common. */
const mostKnown = 500

/**
 * Looks up which words there are (0090-known-words.sql). An asset that has what is searched for has a word of each list;
 * if one of them is empty, there is none.
 */
export async function knownWords({ db, clientId }: Library, q: string | undefined): Promise<Known> {
  const words = searchedWords(q)
    .filter((word) => !idInRef(word))
    .map(folded)
  const parts = [...new Set(words.flatMap((word) => word.match(/\p{L}+|[^\p{L}\s0-9]+/gu) ?? []))]
  const numbers = words.flatMap((word) => word.match(/[0-9]{3,}/g) ?? [])
  const lists = await Promise.all(parts.map((part) => wordsWith(db, clientId, part)))
  return {
    lists: lists.filter((list) => list !== undefined),
    absent: parts.filter((_, at) => lists[at]?.every((word) => word === '')),
    numbers,
  }
}

/** Undefined where the database sees more than one part in it, or many words have it. */
async function wordsWith(db: Reader, clientId: string, part: string): Promise<string[] | undefined> {
  const known = sql`select word from asset_words where client_id = ${clientId}`
  const [row] = await askPrepared(
    db,
    sql<{
      words: string[]
      isOne: boolean
    }>`select ${isPlain(part) ? sql`true` : sql`array(select words_in(${part}::text)) = array[${part}::text]`} as "isOne",
      array(${known} and ${wordFor(part)} like ${containing(part)} limit ${sql.lit(mostKnown + 1)})
      || array(${known} and word = '' limit 1) as words`,
  )
  const { words, isOne } = row!
  return isOne && words.length <= mostKnown ? words : undefined
}

/** One part to every database. */
const isPlain = (part: string) => /^[a-z]+$/.test(part)

/** What has what is searched for has this; it may let through more. */
export const havingKnown = (library: Library, { lists, numbers }: Known, told = seen): Condition[] => [
  ...lists.map((list) => hasSome(library, sql`word_list(search_text)`, list, told)),
  ...numbers.map((number) => hasAll(library, sql`digit_triples(search_text)`, triplesOf(number), told)),
]

const triplesOf = (number: string) =>
  Array.from({ length: number.length - 2 }, (_, at) => number.slice(at, at + 3))

/** Whether something is searched for that no word there is has. */
export const isUnknown = ({ known, near }: Search) =>
  !near && !!known?.lists.some((list) => list.length === 0)

/** The index knows three letters in a row: of two it knows nothing, and is worse than none. */
const wordFor = (part: string) => (part.length > 2 ? sql`word` : sql`(word || '')`)
