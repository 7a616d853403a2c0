/** A word that may be meant, and by how many mistakes it was missed. */
export interface Nearest {
  word: string
  mistakes: number
}

/** Of more that have a piece of a word in common with it the rest is not compared. */
const mostCompared = 10_000

/**
 * Of these words the one that differs least, if it differs little; of a longer word, its beginning. Of several the one that
 * is likelier: by a slip, then with the same first letter, then with no letter less.
 */
export function nearest(
  word: string,
  known: Iterable<string>,
  most: number = mostMistakes(word),
): Nearest | undefined {
  const slipIn = slipsIn(word)
  const pieces = piecesOf(word)
  let compared = 0
  let best: { word: string; unlikely: number[] } | undefined
  for (const candidate of known) {
    const slip = slipIn(candidate)
    if (!slip && (!hasOne(candidate, pieces, most) || compared++ >= mostCompared)) continue
    const { distance, length } = slip
      ? { distance: 1, length: slip }
      : distanceToBeginning(word, candidate, most)
    const extra = candidate.length - length
    if (distance > most || extra > mostBehind(length, slip !== undefined)) continue
    const beginning = candidate.slice(0, length)
    const unlikely = [
      distance,
      slip ? 0 : 1,
      candidate[0] === word[0] ? 0 : 1,
      length < word.length ? 1 : 0,
      extra,
    ]
    if (!best || isBefore([...unlikely, beginning], [...best.unlikely, best.word]))
      best = { word: beginning, unlikely }
  }
  return best && { word: best.word, mistakes: best.unlikely[0]! }
}

/** The same of a word that is among them: other than itself, and by one letter only, for it may well be right. */
export const nearestOther = (word: string, known: Iterable<string>): Nearest | undefined =>
  nearest(
    word,
    [...known].filter((other) => !other.includes(word)),
    1,
  )

/** How much of another word is a slip of this one, if it begins with one. */
function slipsIn(word: string): (other: string) => number | undefined {
  const slips = new Set(slipsOf(word))
  const firsts = word.slice(0, 3)
  const lengths = [word.length, word.length + 1, word.length - 1]
  return (other) =>
    firsts.includes(other[0]!) ? lengths.find((length) => slips.has(other.slice(0, length))) : undefined
}

/**
 * What fingers make of a word: neighbours swapped, a letter doubled or only half of a double one, and
 * in longer words one that comes too early or too late by two.
 */
export function slipsOf(word: string): string[] {
  const places = [...word].map((_, at) => at)
  const swapped = places.map((at) => moved(word, at, at + 1))
  const doubled = places.map((at) => word.slice(0, at + 1) + word.slice(at))
  const halved = places
    .filter((at) => word[at] === word[at + 1])
    .map((at) => word.slice(0, at) + word.slice(at + 1))
  const late =
    word.length < 5 ? [] : places.flatMap((at) => [moved(word, at, at + 2), moved(word, at + 2, at)])
  return [...new Set([...swapped, ...doubled, ...halved, ...late])].filter((slip) => slip !== word)
}

function moved(word: string, from: number, to: number): string {
  const letters = [...word]
  if (Math.max(from, to) < letters.length) letters.splice(to, 0, ...letters.splice(from, 1))
  return letters.join('')
}

export interface Piece {
  text: string
  at: number
}

/**
 * Of the pieces of a word one is left as it is, and about where it was: unless letters are swapped across the end of
 * one and there is another mistake.
 */
export function piecesOf(word: string): Piece[] {
  const length = Math.floor(word.length / (mostMistakes(word) + 1))
  const ends = [0, length, word.length - length, word.length]
  return ends
    .slice(1)
    .map((end, nth) => ({ text: word.slice(ends[nth], end), at: ends[nth]! }))
    .filter(({ text }) => text.length >= length)
}

/** With fewer letters too many words begin. */
export const shortestBeginning = 4

/** How many letters may follow: with few before them but one, as of a plural, unless fingers slipped. */
function mostBehind(length: number, isSlip: boolean): number {
  if (length < shortestBeginning) return 0
  return length > shortestBeginning || isSlip ? Number.POSITIVE_INFINITY : 1
}

const mostMistakes = (word: string) => (word.length < 6 ? 1 : 2)

function hasOne(candidate: string, pieces: Piece[], most: number): boolean {
  for (const { text, at } of pieces) {
    const found = candidate.indexOf(text, at - most)
    if (found >= 0 && found <= at + most) return true
  }
  return false
}

const isBefore = (one: (number | string)[], other: (number | string)[]): boolean => {
  const at = one.findIndex((value, place) => value !== other[place])
  return at >= 0 && one[at]! < other[at]!
}

/**
 * How many letters were left out, added, changed or swapped with their neighbour between a word and a beginning of
 * another, and how long that is. No more than so many are counted.
 */
function distanceToBeginning(
  word: string,
  longer: string,
  most: number,
): { distance: number; length: number } {
  const other = longer.slice(0, word.length + most)
  const beyond = most + 1
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  let leastAbove = 0
  for (let i = 1; i <= word.length; i++) {
    const row = new Array<number>(other.length + 1).fill(beyond)
    row[0] = i
    let least = i
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j++) {
      const same = word[i - 1] === other[j - 1]
      let its = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]
      if (swapped) its = Math.min(its, before[j - 2]! + 1)
      row[j] = its
      least = Math.min(least, its)
    }
    if (least > most && leastAbove > most) return { distance: beyond, length: 0 }
    leastAbove = least
    before = above
    above = row
  }
  return { distance: leastAbove, length: above.lastIndexOf(leastAbove) }
}
