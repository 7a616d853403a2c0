import { createHash } from 'node:crypto'

export interface Words {
  title: string
  alt_text: string
  description: string
  tags: string[]
  /** The text that was read in it. */
  in_picture: string | null
}

/** Some models take five hundred tokens and no more. */
const longest = 1200

/** What is written of an asset, the most telling first: all that leaves the house for its vector. */
export const textOf = ({ title, alt_text, tags, description, in_picture }: Words): string =>
  [title, alt_text, tags.join(', '), description, in_picture ?? '']
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n')
    .slice(0, longest)
    .toWellFormed()

export const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
