import { folded } from '../../contract/folding.ts'
import type { WordsThere } from './words-there.ts'

/** A part that is shorter says too little by itself: what it belongs to is behind a hyphen. */
const shortestPart = 3

/** A word of letters in two: each place where it may be divided. */
export const halvesOf = (word: string): [string, string][] =>
  Array.from({ length: word.length - 1 }, (_, at) => [word.slice(0, at + 1), word.slice(at + 1)])

/** Two words that are there: blackfriday as black friday. Of several ways the one with the longest of short parts. */
export function inTwo(word: string, there: WordsThere): string | undefined {
  const shorter = (halves: string[]) => Math.min(...halves.map((half) => half.length))
  const [best] = halvesOf(word)
    .filter((halves) => shorter(halves) >= shortestPart && halves.every(there.has))
    .sort((one, other) => shorter(other) - shorter(one))
  return best?.join(' ')
}

/** With a hyphen behind a letter or two: ebike as e-bike. */
export function hyphened(word: string, there: WordsThere): string | undefined {
  const halves = halvesOf(word)
    .slice(0, shortestPart - 1)
    .find(([head, tail]) => tail.length >= shortestPart && there.has(head) && there.begins(tail))
  return halves?.join('-')
}

/** The letters, or letters and numbers, that a word is put together of: none where it is one alone, or numbers. */
export function partsOfWord(word: string): string[] {
  const parts = word.match(/\p{L}+|[0-9]+/gu) ?? []
  return parts.length > 1 && parts.some((part) => /\p{L}/u.test(part)) ? parts : []
}

/** Without what is between its parts, if there is such a word: t-shirt as tshirt. */
export function inOne(word: string, there: WordsThere): string | undefined {
  const joined = partsOfWord(word).join('')
  return joined && there.begins(folded(joined)) ? joined : undefined
}

/** Its parts by themselves, where none is too short for that, or nowhere: img0007 as img 0007. */
export function apart(word: string, nowhere: string[]): string | undefined {
  const parts = partsOfWord(word)
  const areWords = parts.every((part) => part.length > 1 && !nowhere.includes(folded(part)))
  return parts.length > 0 && areWords ? parts.join(' ') : undefined
}
