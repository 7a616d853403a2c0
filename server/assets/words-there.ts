import { sql } from 'kysely'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'
import type { FolderNames } from './folder-names.ts'
import { piecesOf } from './nearest-word.ts'
import { type Condition, containing } from './search.ts'
import { unseen } from './sought.ts'

/** More words of assets that are like one are not looked through. */
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
  folders: FolderNames,
  sought: { beginnings: string[]; alike: string[] },
): Promise<WordsThere> {
  const words = new Set([...(await wordsOfAssets(library, sought)), ...folders.words])
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
  const its = sql`select word from asset_words where client_id = ${told(clientId)}`
  const begun = sql`(select first.word from unnest(${beginnings}::text[]) as beginning cross join lateral (
    ${its} and word >= beginning and word < beginning || ${last} order by word limit 1) as first)`
  const like = alike.flatMap(likenesses).map((is) => sql`(${its} and ${is} limit ${sql.lit(mostAlike)})`)
  const rows = await askPrepared(db, sql<{ word: string }>`${sql.join([begun, ...like], sql` union `)}`)
  return rows.map(({ word }) => word)
}

const last = '\u{10ffff}'

/** What has a piece of the word is found sooner than what is alike. Short words have none worth looking for. Each by itself: of two at once the planner asks no index. */
function likenesses(word: string): Condition[] {
  const pieces = piecesOf(word)
  const whole = told(word)
  if (pieces.some(({ text }) => text.length < 3)) return [sql`word % ${whole}`, sql`${whole} <% word`]
  return pieces.map(({ text }) => sql`word like ${told(containing(text))}`)
}

const told = (text: string) => unseen(sql`${text}::text`)
