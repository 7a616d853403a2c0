import { endingStyle } from './ending.ts'
import de from './guests.de.ts'
import en from './guests.en.ts'

/** What people without an account are told: few words, and none of the app's, for their pages are small. */
export type GuestWords = typeof en

const languages = { en, de } satisfies Record<string, GuestWords>

const spoken = globalThis.navigator?.languages ?? ['en']

/** The first of the browser's languages that is spoken here. */
export const language: keyof typeof languages =
  spoken.map((one) => one.slice(0, 2)).find((one) => one === 'de' || one === 'en') === 'de' ? 'de' : 'en'

export const words: GuestWords = languages[language]

/** As days and numbers are written where the person is. */
const locale =
  spoken.find((one) => /^[a-z]{2}(-[A-Z]{2})?$/.test(one) && one.startsWith(language)) ?? language

/** Until when something holds. */
export const ending = (time: string) =>
  new Intl.DateTimeFormat(locale, endingStyle(time, 'long')).format(new Date(time))

export const shortTime = (time: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

export const inNumbers = (value: number) => new Intl.NumberFormat(locale).format(value)
