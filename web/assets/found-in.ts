import type { Asset } from '../../contract/assets.ts'
import { folded, placesOf } from '../../contract/folding.ts'
import { searchedWords } from '../../contract/searched-words.ts'
import { isRef, searchText } from '../library/patch.ts'

/** What hits were found by. */
export interface Sought {
  words: string[]
  /** The names of folders count, too. */
  byFolder: boolean
}

export type FoundField = 'tag' | 'description' | 'altText' | 'fileName' | 'folder' | 'picture' | 'meaning'

export interface FoundIn {
  field: FoundField
  /** Of what a list does not tell, none. */
  pieces: Piece[]
}

export interface Piece {
  text: string
  isWord: boolean
}

/** Undefined where no words were searched for. */
export function soughtBy(q: string | undefined, byFolder: boolean): Sought | undefined {
  const words = searchedWords(q)
  return words.length > 0 ? { words: words.filter((word) => !isRef(word)), byFolder } : undefined
}

/** Where an asset has the words that its title does not show: in its fields, in names of folders, or where no list looks. */
export function foundIn(asset: Asset, words: string[], folderNames: string[]): FoundIn[] {
  const found: FoundIn[] = []
  let missing = words.filter((word) => !has(asset.title, word))
  if (missing.length === 0) return found
  const texts = [...textsOf(asset), ...folderNames.map((name) => ['folder', name] as const)]
  while (missing.length > 0) {
    const [best, count] = mostOf(texts, missing)
    if (!best || count === 0) break
    const [field, text] = best
    found.push({ field, pieces: piecesOf(text, words) })
    missing = missing.filter((word) => !has(text, word))
  }
  // No list has the words in a picture. A phrase may begin in one field and end in the next.
  const all = searchText(asset)
  const isPicture = asset.mimeType.startsWith('image/')
  if (isPicture && missing.some((word) => !all.includes(folded(word))))
    found.push({ field: 'picture', pieces: [] })
  return found
}

const textsOf = ({
  tags,
  description,
  altText,
  originalFilename,
}: Asset): (readonly [FoundField, string])[] => [
  ...tags.map((tag) => ['tag', tag] as const),
  ['description', flat(description)],
  ['altText', flat(altText)],
  ['fileName', originalFilename],
]

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

const has = (text: string, word: string) => folded(text).includes(folded(word))

/** The first of those that have most of the words, and how many it has. */
function mostOf<Text extends readonly [FoundField, string]>(texts: Text[], words: string[]) {
  let best: [Text | undefined, number] = [undefined, 0]
  for (const each of texts) {
    const count = words.filter((word) => has(each[1], word)).length
    if (count > best[1]) best = [each, count]
  }
  return best
}

/** There is room for little before the word; what is too long behind it ends with the line. */
const before = 16
const behind = 90

/** All of a text, with the words in it told apart. */
export const markedIn = (text: string, words: string[]): Piece[] =>
  toldApart(text, placesOfAll(text, words), 0, text.length)

/** The text around the first of the words in it, with all of them told apart. */
function piecesOf(text: string, words: string[]): Piece[] {
  const places = placesOfAll(text, words)
  const first = places[0]![0]
  const from = startBefore(text, first)
  const shown = places.filter(([start]) => start < first + behind)
  const to = Math.min(text.length, Math.max(first + behind, ...shown.map(([, end]) => end)))
  const cut = (sign: string) => ({ text: sign, isWord: false })
  return [
    ...(from > 0 ? [cut(text[from - 1] === ' ' ? '… ' : '…')] : []),
    ...toldApart(text, shown, from, to),
    ...(to < text.length ? [cut('…')] : []),
  ]
}

type Place = [from: number, to: number]

const placesOfAll = (text: string, words: string[]): Place[] =>
  words.flatMap((word) => placesOf(text, word)).sort(([a], [b]) => a - b)

function toldApart(text: string, places: Place[], from: number, to: number): Piece[] {
  const pieces: Piece[] = []
  const add = (at: number, end: number, isWord: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), isWord })
  }
  let at = from
  for (const [start, end] of places) {
    add(at, start, false)
    add(Math.max(at, start), end, true)
    at = Math.max(at, end)
  }
  add(at, to, false)
  return pieces
}

/** With a word that is whole, where there is one, and never with half a character. */
function startBefore(text: string, place: number): number {
  if (place <= before) return 0
  const from = place - before
  const blank = text.slice(from - 1, place).indexOf(' ')
  if (blank >= 0) return from + blank
  return /[\udc00-\udfff]/.test(text[from]!) ? from + 1 : from
}
