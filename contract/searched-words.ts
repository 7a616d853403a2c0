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
