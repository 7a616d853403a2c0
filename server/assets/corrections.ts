import { folded } from '../../contract/folding.ts'
import { inOtherWords, quotedWords, searchedWords } from '../../contract/searched-words.ts'
import type { Library } from '../library.ts'
import { apart, halvesOf, hyphened, inOne, inTwo, partsOfWord } from './divided-words.ts'
import type { FolderNames } from './folder-names.ts'
import { type Nearest, nearest, nearestOther, shortestBeginning, slipsOf } from './nearest-word.ts'
import { otherSpellings } from './other-spellings.ts'
import { idInRef, type Search } from './search.ts'
import { type WordsThere, wordsThere } from './words-there.ts'

/** Where more than these are nowhere, it is not that they are misspelt; nor are more that are there taken for others. */
const mostMisspelt = 3

/**
 * The words with those that nothing has replaced by some that are there, or divided otherwise, the likeliest first; none
 * where that makes no difference. And whether all of them are there now, in which words.
 */
export async function correct(
  library: Library,
  folders: FolderNames,
  { q, known }: Search,
  named: string[],
): Promise<{ meant: string[]; there?: string }> {
  const words = replaceable(q)
  const ofFolders = new Set(named.map(folded))
  const nowhere = known!.absent.filter((part) => !ofFolders.has(part))
  const misspelt = words.filter((word) => nowhere.includes(folded(word)) && mayBeMisspelt(word))
  if (misspelt.length > mostMisspelt) return { meant: [] }
  const dividable = words.filter((word) => !idInRef(word) && partsOfWord(word).length > 0)
  if (misspelt.length + dividable.length === 0)
    return { meant: [], ...(nowhere.length === 0 && { there: q! }) }

  const there = await wordsAbout(library, folders, misspelt, dividable)
  const near = new Map(misspelt.map((word) => [word, nearest(folded(word), there.words)]))
  const same = new Map([
    ...misspelt.map((word) => [word, inSameLetters(word, there, near.get(word))] as const),
    ...dividable.map((word) => [word, inOne(word, there) ?? apart(word, nowhere)] as const),
  ])
  const likeliest = (word: string) => same.get(word) ?? near.get(word)?.word
  const ways = [likeliest, (word: string) => near.get(word)?.word]
  const asWritten = inOtherWords(q, searchedWords(q))
  const areThere = nowhere.every((part) => misspelt.some((word) => folded(word) === part && likeliest(word)))
  return {
    meant: distinct(ways.map((way) => replaced(q, way))).filter((meant) => meant !== asWritten),
    ...(areThere && { there: replaced(q, likeliest) }),
  }
}

/** Otherwise written or divided; what is but one letter off is likelier than that it is two words. */
const inSameLetters = (word: string, there: WordsThere, near: Nearest | undefined) =>
  spelt(word, there) ??
  hyphened(folded(word), there) ??
  (near?.mistakes === 1 ? undefined : inTwo(folded(word), there))

/** One may become two. */
function replaced(q: string | undefined, way: (word: string) => string | undefined): string {
  const words = replaceable(q)
  return inOtherWords(
    q,
    searchedWords(q).flatMap((word) => (words.includes(word) && way(word)?.split(' ')) || word),
  )
}

/** What stands in quotation marks is meant just so. */
const replaceable = (q: string | undefined): string[] => {
  const quoted = quotedWords(q)
  return searchedWords(q).filter((word) => !quoted.includes(word))
}

const mayBeMisspelt = (word: string) => /^\p{L}{4,40}$/u.test(folded(word))
const distinct = (words: string[]) => [...new Set(words)]

/** The words with one of them replaced by another that is there: it may be misspelt elsewhere, too. */
export async function withOthers(library: Library, folders: FolderNames, q: string): Promise<string[]> {
  const some = replaceable(q).filter(mayBeAnother).slice(0, mostMisspelt)
  if (some.length === 0) return []
  const there = await wordsAbout(library, folders, some)
  return some.flatMap((word) => {
    const other =
      spelt(word, there) ?? (isLong(word) ? nearestOther(folded(word), there.words)?.word : undefined)
    return other ? [replaced(q, (each) => (each === word ? other : undefined))] : []
  })
}

const mayBeAnother = (word: string) => isLong(word) || otherSpellings(word).length > 0
const isLong = (word: string) => /^\p{L}{6,40}$/u.test(folded(word))

/** What these may be, and what those may be if they are one word. */
const wordsAbout = (
  library: Library,
  folders: FolderNames,
  words: string[],
  dividable: string[] = [],
): Promise<WordsThere> =>
  wordsThere(library, folders, {
    beginnings: [
      ...words.flatMap((word) => [...slipsOf(folded(word)), ...otherSpellings(word).map(folded)]),
      ...words.flatMap((word) => halvesOf(folded(word)).flat()),
      ...dividable.map((word) => folded(partsOfWord(word).join(''))),
    ],
    alike: words.map(folded),
  })

/** The same word, as it is written there. */
const spelt = (word: string, there: WordsThere) =>
  otherSpellings(word).find((other) => isThere(folded(other), there))

const isThere = (word: string, there: WordsThere) =>
  there.has(word) || (word.length >= shortestBeginning && there.begins(word))
