import type { Language } from '../../contract/words.ts'
import de from './picker.de.ts'
import en from './picker.en.ts'

/** What people are told who pick assets elsewhere: few words, and none of the app's, for the picker is small. */
export type PickerWords = typeof en

const languages = { en, de } satisfies Record<Language, PickerWords>

/** The first of these languages that is spoken here; those of the browser come last. */
export function pickerLanguage(asked?: string): Language {
  const wanted = [...(asked ? [asked] : []), ...(globalThis.navigator?.languages ?? [])]
  const spoken = wanted.map((one) => one.slice(0, 2).toLowerCase())
  return (spoken.find((one) => one in languages) as Language | undefined) ?? 'en'
}

export const pickerWords = (language: Language): PickerWords => languages[language]
