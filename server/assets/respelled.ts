import type { Asset } from '../../contract/assets.ts'
import { folded } from '../../contract/folding.ts'

type Written = Pick<Asset, 'title' | 'tags' | 'description' | 'altText'>

/** The words as those write them that were found, the first of them first: Nürnberg, of which an index knows nurnberg. */
export function respelled(words: string, found: Written[], folders: { name: string }[]): string {
  const letters = new Map<string, string>()
  const texts = [
    ...found.flatMap(({ title, tags, description, altText }) => [title, ...tags, description, altText]),
    ...folders.map(({ name }) => name),
  ]
  for (const word of texts.flatMap(lettersIn)) {
    const plain = folded(word)
    if (!letters.has(plain)) letters.set(plain, word)
  }
  return words.replace(/\p{L}+/gu, (word) => letters.get(folded(word)) ?? word)
}

const lettersIn = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []
