import { folded, searchedWords } from '../../contract/folding.ts'
import type { Library } from '../library.ts'
import { nearest, nearestOther, slipsOf } from './nearest-word.ts'
import type { Search } from './search.ts'
import { type WordsThere, wordsThere } from './words-there.ts'

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
  const there = await wordsAbout(library, misspelt)
  const nearby = new Map(misspelt.map((word) => [word, nearest(word, there.words)]))
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
  const there = await wordsAbout(library, long)
  return long.flatMap((word) => {
    const other = nearestOther(word, there.words)
    return other ? [words.map((each) => (each === word ? other : each)).join(' ')] : []
  })
}

const wordsAbout = (library: Library, words: string[]): Promise<WordsThere> =>
  wordsThere(library, { beginnings: words.flatMap(slipsOf), alike: words })
