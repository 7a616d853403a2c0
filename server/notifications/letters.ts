import type { NotificationKind } from '../../contract/notifications.ts'
import type { Language } from '../../contract/words.ts'
import { harmlessWords } from '../mail/harmless-words.ts'
import { letter } from '../mail/letter.ts'
import type { Message } from '../mail/mailer.ts'
import { pathOf } from './kinds.ts'

export interface Reader {
  email: string
  reader: string
  role: string
  language: Language | null
}

export interface Told {
  kind: NotificationKind
  clientId: string
  clientName: string
  cause: string
  subject: string
  name: string | null
  count: number
}

type Sentence = (told: Told) => string

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    lead: 'this has happened in the asset library:',
    closing: 'You choose what you are told of on your account page.',
    digest: (count: number) =>
      count === 1 ? 'Asset library: one thing to look at' : `Asset library: ${count} things to look at`,
    'delivery-failed': ({ name }) => `${quoted(name, '“', '”', 'A file')} could not be delivered.`,
    'sign-in-needed': ({ name }) =>
      `The connection ${quoted(name, '“', '”')} needs somebody to sign in again.`,
    'rights-ending': ({ name, count, cause }) =>
      count === 1
        ? `The rights to “${name}” end. Their last day is ${dayIn(cause, 'en-GB')}.`
        : `The rights to ${count} assets end. Their last day is ${dayIn(cause, 'en-GB')}.`,
    'quota-nearly-full': ({ count }) => `${count} % of the storage is used.`,
    'new-files': ({ name, count }) =>
      count === 1 ? `${name} has uploaded a file.` : `${name} has uploaded ${count} files.`,
    'guest-files': ({ name, count }) =>
      count === 1
        ? `A guest who goes by “${name}” has sent a file.`
        : `Guests have sent ${count} files, the last one goes by “${name}”.`,
    'review-asked': ({ name, count }) =>
      count === 1
        ? `“${name}” waits for an answer.`
        : `${count} assets wait for an answer, the last one is “${name}”.`,
    'review-answered': ({ name, count }) =>
      count === 1
        ? `There is an answer about “${name}”.`
        : `There are ${count} answers, the last one about “${name}”.`,
    commented: ({ name, count }) =>
      count === 1 ? `There is a new comment on “${name}”.` : `There are new comments on “${name}”.`,
    mentioned: ({ name }) => `Somebody has mentioned you at “${name}”.`,
  },
  de: {
    hello: (name: string) => `Hallo ${name},`,
    lead: 'in der Medienbibliothek gibt es Neues:',
    closing: 'Was Sie erfahren möchten, wählen Sie auf der Seite Ihres Kontos.',
    digest: (count: number) =>
      count === 1 ? 'Medienbibliothek: eine Nachricht' : `Medienbibliothek: ${count} Nachrichten`,
    'delivery-failed': ({ name }) =>
      `${quoted(name, '„', '“', 'Eine Datei')} konnte nicht ausgeliefert werden.`,
    'sign-in-needed': ({ name }) =>
      `Bei der Verbindung ${quoted(name, '„', '“')} muss sich jemand neu anmelden.`,
    'rights-ending': ({ name, count, cause }) =>
      count === 1
        ? `Die Rechte an „${name}“ laufen ab. Letzter Tag ist der ${dayIn(cause, 'de-DE')}.`
        : `Die Rechte an ${count} Medien laufen ab. Letzter Tag ist der ${dayIn(cause, 'de-DE')}.`,
    'quota-nearly-full': ({ count }) => `${count} % des Speichers sind belegt.`,
    'new-files': ({ name, count }) =>
      count === 1 ? `${name} hat eine Datei hochgeladen.` : `${name} hat ${count} Dateien hochgeladen.`,
    'guest-files': ({ name, count }) =>
      count === 1
        ? `Ein Gast, der sich „${name}“ nennt, hat eine Datei geschickt.`
        : `Gäste haben ${count} Dateien geschickt, der letzte nennt sich „${name}“.`,
    'review-asked': ({ name, count }) =>
      count === 1
        ? `„${name}“ wartet auf eine Antwort.`
        : `${count} Medien warten auf eine Antwort, zuletzt „${name}“.`,
    'review-answered': ({ name, count }) =>
      count === 1
        ? `Zu „${name}“ gibt es eine Antwort.`
        : `Es gibt ${count} Antworten, die letzte zu „${name}“.`,
    commented: ({ name, count }) =>
      count === 1 ? `Zu „${name}“ gibt es einen neuen Kommentar.` : `Zu „${name}“ gibt es neue Kommentare.`,
    mentioned: ({ name }) => `Jemand hat Sie bei „${name}“ erwähnt.`,
  },
} satisfies Record<Language, Record<NotificationKind, Sentence> & Record<string, unknown>>

const quoted = (name: string | null, open: string, close: string, without = '') =>
  name === null ? without : `${open}${name}${close}`

const dayIn = (day: string, locale: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** One thing, as soon as it has happened. */
export function noticeLetter(publicUrl: string, reader: Reader, told: Told): Message {
  const { text } = itemOf(publicUrl, reader, told)
  return asLetter(publicUrl, reader, text, [told])
}

/** What has gathered since the last one. */
export const digestLetter = (publicUrl: string, reader: Reader, told: Told[]): Message =>
  asLetter(publicUrl, reader, words[reader.language ?? 'en'].digest(told.length), told)

function asLetter(publicUrl: string, reader: Reader, subject: string, told: Told[]): Message {
  const language = reader.language ?? 'en'
  const { hello, lead, closing } = words[language]
  return letter({
    to: reader.email,
    language,
    subject,
    lines: [hello(harmlessWords(reader.reader)), lead],
    items: told.map((one) => itemOf(publicUrl, reader, one)),
    closing,
  })
}

function itemOf(publicUrl: string, { language, role }: Reader, told: Told) {
  const sentence: Sentence = words[language ?? 'en'][told.kind]
  return {
    text: `${harmlessWords(told.clientName)}: ${sentence({ ...told, name: told.name && harmlessWords(told.name) })}`,
    url: `${publicUrl}/app${pathOf(told, role)}`,
  }
}
