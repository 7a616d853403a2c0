import { type ReactNode, useEffect } from 'react'
import { IntlProvider } from 'use-intl'
import { createStore, useStore } from '../store.ts'
import type { Words } from './en.ts'
import { type Language, languages, speak, spoken } from './spoken.ts'

declare module 'use-intl' {
  interface AppConfig {
    Messages: Words
  }
}

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
  const said = useStore(spoken)
  useEffect(() => void speak(wanted), [wanted])
  useEffect(() => {
    if (said) document.documentElement.lang = said.language
  }, [said])
  if (!said) return null
  return (
    <IntlProvider
      locale={regional(said.language)}
      messages={said.words as Words}
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
