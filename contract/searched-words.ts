import { folded } from './folding.ts'

/** What is searched for: each of these words, and what stands in quotation marks just so. */
export const searchedWords = (q?: string) =>
  wordsIn(q).flatMap(({ word, isUnwanted }) => (isUnwanted ? [] : word))

/** What must not be there: with a minus before it. */
export const unwantedWords = (q?: string) =>
  wordsIn(q).flatMap(({ word, isUnwanted }) => (isUnwanted ? word : []))

/** What must be there just so: it stands in quotation marks. */
export const quotedWords = (q?: string) =>
  wordsIn(q).flatMap(({ word, isUnwanted, isQuoted }) => (isQuoted && !isUnwanted ? word : []))

/** A minus or a quotation mark alone asks for nothing yet. */
export const isSearch = (q: string) => wordsIn(q).length > 0

/** The same search with these words instead of its own. */
export function inOtherWords(q: string | undefined, words: string[]): string {
  const quoted = quotedWords(q)
  const written = (word: string) => (/\s|^-/.test(word) || quoted.includes(word) ? `"${word}"` : word)
  return [...words.map(written), ...unwantedWords(q).map((word) => `-${written(word)}`)].join(' ')
}

/** One search asks for its words many times. */
let latest: { q: string; words: Wanted[] } = { q: '', words: [] }

function wordsIn(q = ''): Wanted[] {
  if (latest.q !== q) latest = { q, words: readWords(q) }
  return latest.words
}

/** Signs nobody sees that come with what is copied: they say in which direction to read. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

function readWords(q: string): Wanted[] {
  const found = new Map<string, Wanted>()
  // Every second piece is what stands between marks, or behind one that is not closed yet.
  for (const [at, piece] of q
    .replace(directions, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/((?:(?:^|\s)-)?["“”„«»][^"“”„«»]*(?:["“”„«»]|$))/)
    .entries())
    for (const wanted of at % 2 === 0 ? piece.split(/\s+/).map(plain).flatMap(apart) : [phrase(piece)])
      if (folded(wanted.word)) found.set(`${wanted.isUnwanted} ${wanted.word}`, wanted)
  return [...found.values()]
}

/** Nothing but signs behind a minus is no word to leave out. A minus alone may be the beginning of one. */
function plain(word: string): Wanted {
  const isUnwanted = /^-[^-]/.test(word) && /[\p{L}\p{N}]/u.test(word)
  return { word: isUnwanted ? word.slice(1) : word === '-' ? '' : word, isUnwanted, isQuoted: false }
}

/** However people write one. */
export const apostrophes = "'’‘‛ʼ′´`＇"
export const apostrophe = new RegExp(`[${apostrophes}]`)

/** O’Brien is found by O'Brien: apart, for a single letter beside an apostrophe says nothing while there is more. */
function apart(wanted: Wanted): Wanted[] {
  const all = wanted.word.split(apostrophe).filter((word) => word)
  const long = all.filter((word) => word.length > 1)
  const words = long.length > 0 ? long : all
  const isOne = words.length === 1 || !wanted.isUnwanted
  return words.length > 0 && isOne ? words.map((word) => ({ ...wanted, word })) : [wanted]
}

function phrase(piece: string): Wanted {
  const isUnwanted = /^\s*-/.test(piece)
  const word = piece.replace(/^\s*-/, '').replace(/["“”„«»]/g, '')
  return { word: word.replace(/\s+/g, ' ').trim(), isUnwanted, isQuoted: true }
}

interface Wanted {
  word: string
  isUnwanted: boolean
  isQuoted: boolean
}

const mostWeighed = 10

/** Those by which what has all of them is found and ranked: more tell nothing new, and cost as much each. */
export const weighedWords = (q?: string) => searchedWords(q).slice(0, mostWeighed)
