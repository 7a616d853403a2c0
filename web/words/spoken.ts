import { onceThere } from '../once-there.ts'
import { createStore } from '../store.ts'
import type { Words } from './en.ts'

/** Each with its own name, and its words when they are wanted: those of the first look, and the rest. */
export const languages = {
  en: {
    name: 'English',
    first: async () => (await import('./first.en.ts')).default,
    rest: async () => (await import('./rest.en.ts')).default,
  },
  de: {
    name: 'Deutsch',
    first: async () => (await import('./first.de.ts')).default,
    rest: async () => (await import('./rest.de.ts')).default,
  },
} satisfies Record<string, { name: string; first: () => Promise<object>; rest: () => Promise<object> }>

export type Language = keyof typeof languages

interface Spoken {
  language: Language
  words: Partial<Words>
}

/** The language that is spoken, and what of its words is there. */
export const spoken = createStore<Spoken | null>(null)

const learned: Record<Language, Partial<Words>> = { en: {}, de: {} }
const rests: Partial<Record<Language, Promise<void>>> = {}
let wanted: Language | undefined

/** Speaks the language once its words are there: all of them, if all were there of the one before. */
export async function speak(language: Language): Promise<void> {
  wanted = language
  const isWhole = hasRest(spoken.get())
  learn(language, await onceThere(languages[language].first))
  if (isWhole) await onceThere(() => learnRest(language))
  if (wanted === language) spoken.set({ language, words: learned[language] })
}

/** Whoever says a word that no first look needs waits for this. */
export function restOfWords(): Promise<void> {
  const { language } = spoken.get()!
  rests[language] ??= onceThere(() => learnRest(language))
  return rests[language]
}

/** Ahead of time. Should it fail, whoever needs them tries again. */
export async function prefetchWords(): Promise<void> {
  const now = spoken.get()
  if (now && !hasRest(now)) await learnRest(now.language).catch(() => {})
}

async function learnRest(language: Language): Promise<void> {
  learn(language, await languages[language].rest())
  if (spoken.get()?.language === language) spoken.set({ language, words: learned[language] })
}

function learn(language: Language, words: Partial<Words>) {
  learned[language] = { ...learned[language], ...words }
}

/** Any chapter of the rest tells. */
const hasRest = (now: Spoken | null) => now?.words.audit !== undefined
