import { folded } from '../../contract/folding.ts'

const oneForTwo: Record<string, string> = { ae: 'ä', oe: 'ö', ue: 'ü', aa: 'å' }
const twoForOne: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** So many pairs of letters are taken for one, or left. */
const mostPairs = 3

/**
 * How else the same word is written, in whatever way a search tells apart: München and Muenchen; and in capitals, from
 * which the database makes another sigma at the end.
 */
export function otherSpellings(word: string): string[] {
  const spelledOut = word.replace(/[äöüøå]/g, (letter) => twoForOne[letter]!)
  const sigma = word.replace(/[σς]$/, (letter) => (letter === 'σ' ? 'ς' : 'σ'))
  return [...joined(word), spelledOut, sigma].filter((other) => folded(other) !== folded(word))
}

/** With each of its pairs as one letter or as it is; first with all of them as one. */
function joined(word: string, most = mostPairs): string[] {
  const at = word.search(/ae|oe|ue|aa/)
  if (at < 0 || most === 0) return [word]
  const [before, pair] = [word.slice(0, at), word.slice(at, at + 2)]
  const ends = joined(word.slice(at + 2), most - 1)
  return [oneForTwo[pair]!, pair].flatMap((letters) => ends.map((end) => before + letters + end))
}
