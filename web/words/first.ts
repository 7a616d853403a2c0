import type { Words } from './en.ts'

/** The chapters that somebody meets who signs in and looks around in a library. All others come right after. */
const firstChapters = [
  'app',
  'problems',
  'access',
  'library',
  'tabs',
  'surfaces',
  'tile',
  'columns',
  'folder',
  'fields',
  'actions',
  'batch',
  'progress',
  'done',
  'failed',
  'details',
  'review',
  'finding',
  'collections',
  'notifications',
  'uploads',
] as const satisfies (keyof Words)[]

type First = (typeof firstChapters)[number]

const isFirst = (chapter: string) => (firstChapters as readonly string[]).includes(chapter)

const chaptersOf = (words: Words, wanted: (chapter: string) => boolean) =>
  Object.fromEntries(Object.entries(words).filter(([chapter]) => wanted(chapter)))

export const firstOf = (words: Words) => chaptersOf(words, isFirst) as Pick<Words, First>

export const restOf = (words: Words) =>
  chaptersOf(words, (chapter) => !isFirst(chapter)) as Omit<Words, First>
