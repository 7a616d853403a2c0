/** Of these words the one that differs least, if it differs little; of a longer word, its beginning. */
export function nearest(word: string, known: string[]): string | undefined {
  let best: { word: string; distance: number; extra: number } | undefined
  for (const candidate of known) {
    const { distance, length } = distanceToBeginning(word, candidate)
    const extra = candidate.length - length
    if (distance > mostMistakes(word)) continue
    const closer = !best || distance < best.distance || (distance === best.distance && extra < best.extra)
    if (closer) best = { word: candidate.slice(0, length), distance, extra }
  }
  return best?.word
}

const mostMistakes = (word: string) => (word.length < 6 ? 1 : 2)

/**
 * How many letters were left out, added, changed or swapped with their neighbour between a word and a beginning of
 * another, and how long that is.
 */
function distanceToBeginning(word: string, other: string): { distance: number; length: number } {
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= word.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = word[i - 1] === other[j - 1]
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = above
    above = row
  }
  const distance = Math.min(...above)
  return { distance, length: above.lastIndexOf(distance) }
}
