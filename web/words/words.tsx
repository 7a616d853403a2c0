import { type ReactNode, useEffect, useState } from 'react'
import { IntlProvider } from 'use-intl'
import { createStore, useStore } from '../store.ts'
import en, { type Words } from './en.ts'

declare module 'use-intl' {
  interface AppConfig {
    Messages: Words
  }
}

/** Each with its own name, and its words when they are wanted. */
const languages = {
  en: { name: 'English', load: async () => en },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).default },
} satisfies Record<string, { name: string; load: () => Promise<Words> }>

export type Language = keyof typeof languages

/** All that the app can speak. */
export const languageNames = Object.entries(languages).map(([language, { name }]) => ({
  language: language as Language,
  name,
}))

const remembered = 'asset-library:language'
const chosen = createStore<Language | null>(null)

function usualLanguage(): Language {
  const wanted = localStorage.getItem(remembered) ?? navigator.language.slice(0, 2)
  return isKnown(wanted) ? wanted : 'en'
}

const isKnown = (language: string): language is Language => Object.hasOwn(languages, language)

export function chooseLanguage(wanted: Language) {
  localStorage.setItem(remembered, wanted)
  chosen.set(wanted)
}

export const useLanguage = () => useStore(chosen, (language) => language ?? usualLanguage())

/** What else the app can speak. */
export function useOtherLanguages(): { language: Language; name: string }[] {
  const spoken = useLanguage()
  return languageNames.filter(({ language }) => language !== spoken)
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const wanted = useLanguage()
  const [spoken, setSpoken] = useState<{ language: Language; words: Words } | null>(
    wanted === 'en' ? { language: 'en', words: en } : null,
  )
  useEffect(() => {
    let current = true
    languages[wanted].load().then((words) => {
      if (!current) return
      document.documentElement.lang = wanted
      setSpoken({ language: wanted, words })
    })
    return () => {
      current = false
    }
  }, [wanted])
  if (!spoken) return null
  return (
    <IntlProvider
      locale={regional(spoken.language)}
      messages={spoken.words}
      timeZone={timeZone}
      formats={formats}
    >
      {children}
    </IntlProvider>
  )
}

/** The language as it is written where the person is: days and numbers differ between London and New York. */
const regional = (language: Language) =>
  navigator.languages.find((one) => one.split('-')[0] === language && isLocale(one)) ?? language

/** Some browsers say what their system calls it, such as en-US@posix. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** What sentences name as theirs: `{share, number, percent}`. */
const formats = { number: { percent: { style: 'percent' } } } as const

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
