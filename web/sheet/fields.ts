import type { AssetWords, WordChange } from '../../contract/asset-words.ts'
import { mostTags } from '../../contract/assets.ts'
import { plainly } from '../../contract/words.ts'
import type { SheetWords } from '../words/sheet.en.ts'
import { readTags, tagsText } from './csv.ts'

export const fields = ['title', 'altText', 'description', 'tags'] as const
export type Field = (typeof fields)[number]

const longest = { title: 200, altText: 2000, description: 5000 }

/** As a cell shows it. */
export const textOf = (row: Pick<AssetWords, Field>, field: Field): string =>
  field === 'tags' ? tagsText(row.tags) : row[field]

/** As a change names it. */
export function changeOf(field: Field, text: string): Partial<WordChange> {
  if (field === 'tags') return { tags: readTags(text).map(plainly) }
  return { [field]: field === 'title' ? plainly(text) : text }
}

/** Why no cell can say this, if so. */
export function problemWith(field: Field, text: string, words: SheetWords): string | undefined {
  if (field === 'tags') {
    const tags = readTags(text)
    return tags.length > mostTags || tags.some((tag) => tag.length > 60) ? words.badTags(mostTags) : undefined
  }
  if (field === 'title' && !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return words.titleNeeded
  return [...text].length > longest[field] ? words.tooLong(longest[field]) : undefined
}
