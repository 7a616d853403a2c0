import { plainly, type Surface, unturned, visible } from '../../contract/words.ts'

/** How the words people write about an asset are kept. */
export const tidyTitle = (title: string) => plainly(title).normalize('NFC').trim()

/** What is said in more than a few words, on as many lines as it takes. */
export const tidyText = (text: string) => unturned(text).normalize('NFC')

const tidyTag = (tag: string) => tag.normalize('NFC').trim()

/** “fest” and “Fest” are one tag, in the spelling that came first. The database has the same rule in `tag_keys`. */
export const tagKey = (tag: string) => tidyTag(tag).toLowerCase()

export function tidyTags(tags: string[]): string[] {
  const first = new Map<string, string>()
  for (const tag of tags) if (!first.has(tagKey(tag))) first.set(tagKey(tag), tidyTag(plainly(tag)))
  return [...first.values()]
}

export const tidySurfaces = (surfaces: Surface[]) => [...new Set(surfaces)].sort()

const hasWords = new RegExp(visible, 'u')

/** The file's name without its ending, when nobody gave a title. */
export function titleFromFilename(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1)!
  const plain = tidyTitle(last.replace(/\.[^.]{1,5}$/, ''))
  return hasWords.test(plain) ? [...plain].slice(0, 200).join('') : 'Untitled'
}
