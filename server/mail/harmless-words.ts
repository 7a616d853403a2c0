import { plainly } from '../../contract/words.ts'

const longest = 60

/**
 * What others call themselves or a thing, as a letter of ours may say it: short, on one line, without quotation marks that
 * end ours, and with a gap in all that mail programs make links of.
 */
export function harmlessWords(text: string): string {
  const words = [
    ...plainly(text)
      .replace(/["“”„‟«»]/g, "'")
      .replace(/(?<=\p{L}):(?=\S)|(?<=\S)[.。．｡](?=\p{L})/gu, '$& ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return words.length > longest
    ? `${words
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : words.join('')
}
