import type { Surface } from '../../contract/words.ts'

/** How the words people write about an asset are kept. */
export const tidyTitle = (title: string) => title.normalize('NFC').trim()

export const tidyTag = (tag: string) => tag.normalize('NFC').trim()

export const tidyTags = (tags: string[]) => [...new Set(tags.map(tidyTag))]

export const tidySurfaces = (surfaces: Surface[]) => [...new Set(surfaces)].sort()

/** The file's name without its ending, when nobody gave a title. */
export function titleFromFilename(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1)!
  const plain = last
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/\p{Cc}/gu, ' ')
    .normalize('NFC')
    .trim()
  return [...plain].slice(0, 200).join('') || 'Untitled'
}
