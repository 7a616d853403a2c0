import { sql } from 'kysely'
import type { Library } from '../library.ts'
import type { FolderName } from './folder-words.ts'
import { piecesOf } from './nearest-word.ts'
import { type Condition, containing, or } from './search.ts'

/** Of more folders than these the names are not looked through, nor what comes behind so many letters of all of them. */
const mostNames = 20_000
const mostLetters = 500_000
/** Nor more words of assets that are like one. */
const mostAlike = 2_000

/** Words of a client's assets and folders, among which one may be meant. */
export interface WordsThere {
  words: Set<string>
  has(word: string): boolean
  begins(beginning: string): boolean
}

/** Those of assets that begin so or are like others, and all that are in names of folders. */
export async function wordsThere(
  library: Library,
  folders: FolderName[],
  sought: { beginnings: string[]; alike: string[] },
): Promise<WordsThere> {
  const words = new Set([...(await wordsOfAssets(library, sought)), ...wordsOfFolders(folders)])
  const all = ` ${[...words].join(' ')} `
  return {
    words,
    has: (word) => words.has(word),
    begins: (beginning) => all.includes(` ${beginning}`),
  }
}

/** Of all that begin in the same way one will do. It is the shortest: a word stands before those that it begins. */
async function wordsOfAssets(
  { db, clientId }: Library,
  { beginnings, alike }: { beginnings: string[]; alike: string[] },
): Promise<string[]> {
  const its = sql`select word from asset_words where client_id = ${clientId}`
  const begun = sql`(select first.word from unnest(${beginnings}::text[]) as beginning cross join lateral (
    ${its} and word >= beginning and word < beginning || ${last} order by word limit 1) as first)`
  const like = alike.flatMap(likenesses).map((is) => sql`(${its} and ${is} limit ${sql.lit(mostAlike)})`)
  const { rows } = await sql<{ word: string }>`${sql.join([begun, ...like], sql` union `)}`.execute(db)
  return rows.map(({ word }) => word)
}

const last = '\u{10ffff}'

/** What has a piece of the word is found sooner than what is alike. Short words have none worth looking for. Each by itself: of two at once the planner asks no index. */
function likenesses(word: string): Condition[] {
  const pieces = piecesOf(word)
  if (pieces.some(({ text }) => text.length < 3)) return [sql`word % ${word}`, sql`${word} <% word`]
  return [or(pieces.map(({ text }) => sql`word like ${containing(text)}`))]
}

const wordsOfFolders = (folders: FolderName[]): string[] =>
  folders
    .slice(0, mostNames)
    .map(({ name }) => name)
    .join(' ')
    .slice(0, mostLetters)
    .match(/\p{L}+/gu) ?? []
