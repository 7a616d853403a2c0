import { folded, searchedWords } from '../../contract/folding.ts'
import type { Library } from '../library.ts'
import { nearest, nearestOther, shortestBeginning, slipsOf } from './nearest-word.ts'
import { otherSpellings } from './other-spellings.ts'
import type { Search } from './search.ts'
import { type WordsThere, wordsThere } from './words-there.ts'

/** Where more than these are nowhere, it is not that they are misspelt; nor are more that are there taken for others. */
const mostMisspelt = 3

/**
 * The words with those that nothing has replaced by some that are there; undefined if there is nothing to replace. And
 * whether all of them are there now.
 */
export async function correct(library: Library, { q, known }: Search, named: string[]) {
  const words = searchedWords(q)
  const ofFolders = new Set(named.map(folded))
  const nowhere = known!.absent.filter((part) => !ofFolders.has(part))
  const misspelt = new Set(
    words.filter((word) => nowhere.includes(folded(word)) && /^\p{L}{4,40}$/u.test(folded(word))),
  )
  if (misspelt.size > mostMisspelt) return { areThere: false }
  if (misspelt.size === 0) return { areThere: nowhere.length === 0 }
  const there = await wordsAbout(library, [...misspelt])
  const nearby = new Map(
    [...misspelt].map((word) => [word, spelt(word, there) ?? nearest(folded(word), there.words)]),
  )
  const mended = [...misspelt].filter((word) => nearby.get(word)).map(folded)
  return {
    meant: mended.length > 0 ? words.map((word) => nearby.get(word) ?? word).join(' ') : undefined,
    areThere: nowhere.every((part) => mended.includes(part)),
  }
}

/** The words with one of them replaced by another that is there: it may be misspelt elsewhere, too. */
export async function withOthers(library: Library, q: string): Promise<string[]> {
  const words = searchedWords(q)
  const some = [...new Set(words)].filter(mayBeAnother).slice(0, mostMisspelt)
  if (some.length === 0) return []
  const there = await wordsAbout(library, some)
  return some.flatMap((word) => {
    const other = spelt(word, there) ?? (isLong(word) ? nearestOther(folded(word), there.words) : undefined)
    return other ? [words.map((each) => (each === word ? other : each)).join(' ')] : []
  })
}

const mayBeAnother = (word: string) => isLong(word) || otherSpellings(word).length > 0
const isLong = (word: string) => /^\p{L}{6,40}$/u.test(folded(word))

const wordsAbout = (library: Library, words: string[]): Promise<WordsThere> =>
  wordsThere(library, {
    beginnings: words.flatMap((word) => [...slipsOf(folded(word)), ...otherSpellings(word).map(folded)]),
    alike: words.map(folded),
  })

/** The same word, as it is written there. */
const spelt = (word: string, there: WordsThere) =>
  otherSpellings(word).find((other) => isThere(folded(other), there))

const isThere = (word: string, there: WordsThere) =>
  there.has(word) || (word.length >= shortestBeginning && there.begins(word))
