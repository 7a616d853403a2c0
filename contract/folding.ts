/** What makes two names of folders the same. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

/** The order people count in: “Shoot 2” before “Shoot 10”. The database has the same rule as `counted()`. */
export const nameOrder = (name: string) =>
  nameKey(name).replace(/[0-9]+/g, (number) => number.padStart(12, '0'))

/** By code points, as the database compares. JavaScript's own order goes by halves of characters: 🍎 before ｚ. */
export function compareText(a: string, b: string): number {
  const at = firstDifference(a, b)
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
  if (Number.isNaN(left) || Number.isNaN(right)) return a.length - b.length
  return isHalf(left) === isHalf(right) ? left - right : isHalf(left) ? 1 : -1
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

const letters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** How words are compared in a search: without case and accents. The database has the same rule as `folded()`. */
export const folded = (words: string) =>
  words
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđħıŧßæœ]/g, (letter) => letters[letter]!)

/** What is searched for: each of these words, and what stands in quotation marks just so. */
export const searchedWords = (q?: string) =>
  wordsIn(q).flatMap(({ word, isUnwanted }) => (isUnwanted ? [] : word))

/** What must not be there: with a minus before it. */
export const unwantedWords = (q?: string) =>
  wordsIn(q).flatMap(({ word, isUnwanted }) => (isUnwanted ? word : []))

/** The same search with these words instead of its own. */
export const inOtherWords = (q: string | undefined, words: string[]) =>
  [...words.map(quoted), ...unwantedWords(q).map((word) => `-${quoted(word)}`)].join(' ')

const quoted = (word: string) => (/\s/.test(word) ? `"${word}"` : word)

/** One search asks for its words many times. */
let latest: { q: string; words: Wanted[] } = { q: '', words: [] }

function wordsIn(q = ''): Wanted[] {
  if (latest.q !== q) latest = { q, words: readWords(q) }
  return latest.words
}

function readWords(q: string): Wanted[] {
  const found = new Map<string, Wanted>()
  // Every second piece is what stands between marks.
  for (const [at, piece] of q
    .normalize('NFC')
    .toLowerCase()
    .split(/(-?["“”„«»][^"“”„«»]*["“”„«»])/)
    .entries()) {
    const words = at % 2 === 0 ? piece.split(/\s+/) : [piece.replace(/["“”„«»]/g, '').replace(/\s+/g, ' ')]
    for (const word of words) {
      const isUnwanted = /^-\s*\p{L}/u.test(word)
      const its = (isUnwanted ? word.slice(1) : word).trim()
      if (its) found.set(`${isUnwanted} ${its}`, { word: its, isUnwanted })
    }
  }
  return [...found.values()]
}

interface Wanted {
  word: string
  isUnwanted: boolean
}

const mostWeighed = 10

/** Those by which what has all of them is found and ranked: more tell nothing new, and cost as much each. */
export const weighedWords = (q?: string) => searchedWords(q).slice(0, mostWeighed)
