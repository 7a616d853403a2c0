import { sql } from 'kysely'
import { folded } from '../../contract/folding.ts'
import { apostrophe, weighedWords } from '../../contract/searched-words.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Reader } from '../db/reader.ts'
import type { Library } from '../library.ts'
import { type Condition, containing, idInRef, type Known, type Search } from './search.ts'
import { hasAll, hasSome, seen, unseen } from './sought.ts'

/** A part that more words have is common. */
const mostKnown = 500
/** Of a search with more parts the longer ones are looked up, up to so many: the rest takes longer to look up than it leaves out. */
const mostLookedUp = 12
/** A short part is sought in all words there are, and taken for common where these are more. */
const mostRead = 20_000

/**
 * Looks up which words there are (0090-known-words.sql). An asset that has what is searched for has a word of each list;
 * if one of them is empty, there is none. What was looked up before is not looked up again.
 */
export async function knownWords(
  { db, clientId }: Library,
  q: string | undefined,
  before?: Known,
): Promise<Known> {
  const { parts, numbers } = partsOf(q)
  const soughtFor = new Set(
    parts.length <= mostLookedUp ? parts : parts.filter(isLong).slice(0, mostLookedUp),
  )
  const lists = await Promise.all(
    parts.map((part) => {
      if (before?.byPart.has(part)) return before.byPart.get(part)
      return soughtFor.has(part) ? wordsWith(db, clientId, part) : undefined
    }),
  )
  return {
    lists: lists.filter((list) => list !== undefined),
    absent: parts.filter((_, at) => lists[at]?.every((word) => word === '')),
    numbers,
    byPart: new Map(parts.map((part, at) => [part, lists[at]])),
  }
}

export const withKnown = async <Query extends Search>(library: Library, query: Query): Promise<Query> =>
  query.known ? query : { ...query, known: await knownWords(library, query.q) }

/** What a search is made of, as words are kept; and the numbers in it, which are not. */
export function partsOf(q: string | undefined): { parts: string[]; numbers: string[] } {
  const words = weighedWords(q)
    .filter((word) => !idInRef(word))
    .map(folded)
  return {
    parts: [...new Set(words.flatMap(partsIn))],
    numbers: words.flatMap((word) => word.match(/[0-9]{3,}/g) ?? []),
  }
}

/** Beside letters, it does not matter which apostrophe it is. */
const partsIn = (word: string): string[] => {
  const parts = word.match(/\p{L}+|[^\p{L}\s0-9]+/gu) ?? []
  return parts.length > 1 ? parts.filter((part) => !apostrophe.test(part)) : parts
}

/** Undefined where the database sees more than one part in it, or many words have it. */
async function wordsWith(db: Reader, clientId: string, part: string): Promise<string[] | undefined> {
  const [row] = await askPrepared(
    db,
    sql<{
      words: string[]
      isOne: boolean
    }>`select ${isOne(part)} as "isOne", ${listOf(clientId, part)} as words`,
  )
  const { words, isOne: isWhole } = row!
  return isWhole && words.length <= mostKnown ? words : undefined
}

/** The words that have a part, or one more than may be; and '' if there are some of which that is not known. */
const listOf = (clientId: string, part: string): Condition => {
  const known = sql`select word from asset_words where client_id = ${unseen(sql`${clientId}::text`)}`
  const having = sql`array(${known} and ${wordFor(part)} like ${unseen(sql`${containing(part)}::text`)} limit ${sql.lit(mostKnown + 1)})
    || array(${known} and word = '' limit 1)`
  return isShort(part)
    ? sql`case when exists (${known} offset ${sql.lit(mostRead)}) then array_fill(''::text, array[${sql.lit(mostKnown + 1)}])
        else ${having} end`
    : having
}

const isOne = (part: string): Condition =>
  isPlain(part) ? sql`true` : sql`array(select words_in(${part}::text)) = array[${part}::text]`

/** One part to every database. */
const isPlain = (part: string) => /^([a-z]+|[!-/:-@[-`{-~]+)$/.test(part)

/** What has what is searched for has this; it may let through more. */
export const havingKnown = (
  library: Library,
  { lists, numbers }: Pick<Known, 'lists' | 'numbers'>,
  told = seen,
): Condition[] => [
  ...lists.map((list) => hasSome(library, sql`word_list(search_text)`, list, told)),
  ...havingNumbers(library, numbers, told),
]

const havingNumbers = (library: Library, numbers: string[], told = seen): Condition[] =>
  numbers.map((number) => hasAll(library, sql`digit_triples(search_text)`, triplesOf(number), told))

/** The same of words that the question itself looks up, as its part `known`, which says also whether they are few enough. */
export function knownWithin(
  library: Library,
  q: string | undefined,
): { known: Condition; having: Condition[] } {
  const { clientId } = library
  const { parts, numbers } = partsOf(q)
  const lists = parts.map((_, at) => sql.raw(`list_${at}`))
  const are = [
    ...(parts.every(isPlain)
      ? []
      : [sql`array(select words_in(part) from unnest(${parts}::text[]) as part) <@ ${parts}::text[]`]),
    ...lists.map((list) => sql`cardinality(${list}) <= ${sql.lit(mostKnown)}`),
  ]
  const listed = parts.map(
    (part, at) =>
      sql`in_client(${unseen(sql`${clientId}::text`)}, ${listOf(clientId, part)}) as ${lists[at]}`,
  )
  return {
    known: sql`select *, ${sql.join([sql`true`, ...are], sql` and `)} as are_known from (select ${sql.join([sql`1`, ...listed])} offset 0) as lists`,
    having: [
      ...lists.map(
        (list) => sql`in_client(client_id, word_list(search_text)) && (select ${list} from known)`,
      ),
      ...havingNumbers(library, numbers, unseen),
    ],
  }
}

const triplesOf = (number: string) =>
  Array.from({ length: number.length - 2 }, (_, at) => number.slice(at, at + 3))

/** Whether something is searched for that no word there is has. */
export const isUnknown = ({ known, near }: Search) =>
  !near && !!known?.lists.some((list) => list.length === 0)

/** The index knows three letters in a row: of two it knows nothing, and is worse than none. */
const isShort = (part: string) => !isLong(part)
const isLong = (part: string) => /\p{L}{3}/u.test(part)
const wordFor = (part: string) => (isShort(part) ? sql`(word || '')` : sql`word`)
