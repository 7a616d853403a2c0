import { type ReactNode, useEffect, useState } from 'react'
import { IntlProvider } from 'use-intl'
import { createStore, useStore } from '../store.ts'
import en, { type Words } from './en.ts'

declare module 'use-intl' {
  interface AppConfig {
    Messages: Words
  }
}

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const load: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).default,
}

const remembered = 'asset-library:language'
const chosen = createStore<Language | null>(null)

function usualLanguage(): Language {
  const wanted = localStorage.getItem(remembered) ?? navigator.language.slice(0, 2)
  return languages.find((known) => known === wanted) ?? 'en'
}

export function chooseLanguage(wanted: Language) {
  localStorage.setItem(remembered, wanted)
  chosen.set(wanted)
}

export const useLanguage = () => useStore(chosen, (language) => language ?? usualLanguage())

export function LanguageProvider({ children }: { children: ReactNode }) {
  const wanted = useLanguage()
  const [spoken, setSpoken] = useState<{ language: Language; words: Words } | null>(
    wanted === 'en' ? { language: 'en', words: en } : null,
  )
  useEffect(() => {
    let current = true
    load[wanted]().then((words) => {
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
    <IntlProvider locale={regional(spoken.language)} messages={spoken.words} timeZone={timeZone}>
      {children}
    </IntlProvider>
  )
}

/** The language as it is written where the person is: days and numbers differ between London and New York. */
const regional = (language: Language) =>
  navigator.languages.find((one) => one.split('-')[0] === language) ?? language

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
