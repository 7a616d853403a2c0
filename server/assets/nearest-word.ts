/** Of these words the one that differs least, if it differs little; of a longer word, its beginning. */
export function nearest(
  word: string,
  known: string[],
  most: number = mostMistakes(word),
): string | undefined {
  const pieces = piecesOf(word)
  const isAt = (candidate: string) => (piece: Piece) => {
    const at = candidate.indexOf(piece.text, piece.at - most)
    return at >= 0 && at <= piece.at + most
  }
  let best: { word: string; distance: number; extra: number } | undefined
  for (const candidate of known) {
    if (pieces && !pieces.some(isAt(candidate))) continue
    const { distance, length } = distanceToBeginning(word, candidate, most)
    const extra = candidate.length - length
    if (distance > most) continue
    const closer = !best || distance < best.distance || (distance === best.distance && extra < best.extra)
    if (closer) best = { word: candidate.slice(0, length), distance, extra }
  }
  return best?.word
}

/** The same of a word that is among them: other than itself, and by one letter only, for it may well be right. */
export const nearestOther = (word: string, known: string[]): string | undefined =>
  nearest(
    word,
    known.filter((other) => !other.includes(word)),
    1,
  )

export interface Piece {
  text: string
  at: number
}

/**
 * Of the pieces of a long word one is left as it is, and about where it was: unless letters are swapped across the end of
 * one and there is another mistake. Short words have none worth looking for.
 */
export function piecesOf(word: string): Piece[] | undefined {
  const length = Math.floor(word.length / (mostMistakes(word) + 1))
  if (length < 3) return undefined
  const ends = [0, length, word.length - length, word.length]
  return ends.slice(1).map((end, nth) => ({ text: word.slice(ends[nth], end), at: ends[nth]! }))
}

const mostMistakes = (word: string) => (word.length < 6 ? 1 : 2)

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
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= word.length; i++) {
    const row = new Array<number>(other.length + 1).fill(most + 1)
    row[0] = i
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j++) {
      const same = word[i - 1] === other[j - 1]
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    if (Math.min(...row) > most && Math.min(...above) > most) return { distance: most + 1, length: 0 }
    before = above
    above = row
  }
  const distance = Math.min(...above)
  return { distance, length: above.lastIndexOf(distance) }
}
