import { Value } from 'typebox/value'
import { AltText, mostTags, Tags, Title } from '../../contract/assets.ts'
import { type SuggestedField, suggestedFields } from '../../contract/suggestions.ts'
import { tagKey, tidyTags, tidyTitle } from '../assets/wording.ts'

/** What stands in the three fields, as one text each. */
export type Words = Record<SuggestedField, string>

export const wordsOf = (row: { title: string; alt_text: string; tags: string[] }): Words => ({
  title: row.title,
  altText: row.alt_text,
  tags: joined(row.tags),
})

const mostTagsSuggested = 10
const joined = (tags: string[]) => tags.join(', ')
export const tagsIn = (text: string) => tidyTags(text.split(',').filter((tag) => tag.trim()))

/**
 * What of a model's answer can be suggested: these three fields as plain text, by the rules that hold for what people
 * write. Whatever else it says, for whatever reason, is nothing to us.
 */
export function suggestionsIn(answer: unknown, now: Words & { tagList: string[] }): Partial<Words> {
  const said = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  const has = new Set(now.tagList.map(tagKey))
  const tags = tidyTags(textsIn(said.tags).flatMap((text) => tagsIn(plain(text))))
    .filter((tag) => !has.has(tagKey(tag)) && Value.Check(Tags, [tag]))
    .slice(0, Math.min(mostTagsSuggested, mostTags - has.size))
  const found: Words = {
    title: tidyTitle(plain(said.title)),
    altText: plain(said.altText),
    tags: joined(tags),
  }
  return Object.fromEntries(
    suggestedFields
      .filter((field) => found[field] !== '' && found[field] !== now[field] && isFit(field, found[field]))
      .map((field) => [field, found[field]]),
  )
}

/** Whether people could write it there. */
export function isFit(field: SuggestedField, text: string): boolean {
  if (field === 'tags') return Value.Check(Tags, tagsIn(text))
  return Value.Check(field === 'title' ? Title : AltText, text)
}

const textsIn = (value: unknown) => (Array.isArray(value) ? value.slice(0, 100) : [value])

/** One line without marks, codes and letters that turn what follows: nothing that looks like what it is not. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .slice(0, 20_000)
    .normalize('NFC')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/[\p{Cc}\s\u2028\u2029]+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim()
}
