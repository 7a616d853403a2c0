import { type Static, type TOptional, type TSchema, Type } from 'typebox'

export const surfaces = ['website', 'social', 'gbp'] as const
export const Surface = Type.Enum(surfaces)
export type Surface = Static<typeof Surface>

/** What the library can speak to people in. */
export const languages = ['en', 'de'] as const
export const Language = Type.Enum(languages)
export type Language = Static<typeof Language>

export const idKinds = [
  'client',
  'asset',
  'folder',
  'upload',
  'user',
  'key',
  'connection',
  'delivery',
  'grant',
  'share',
  'request',
  'webhook',
  'session',
  'passkey',
  'comment',
  'notification',
  'download',
  'batch',
  'app',
  'search',
  'collection',
  'suggestion',
  'run',
  'group',
] as const
export type IdKind = (typeof idKinds)[number]

/** An id in a request stays an unchecked string: a malformed one is a 404 like an absent one. */
export const Id = (kind: IdKind) =>
  Type.String({ maxLength: 100, description: `An id of the form ${kind}_…` })

/** In a path it may be as long as a path can be, and is a 404 still. */
export const PathId = (kind: IdKind) =>
  Type.String({ maxLength: 5000, description: `An id of the form ${kind}_…` })

/** Has something to see: not only blanks, marks without width, and letters that draw nothing. */
export const visible = '[^\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]'

/** Whatever follows one of them reads the other way, or stands on another line. */
export const turning = '\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069'

/** The name of a person, a client or a thing: visible, on one line, and read as it is written. */
export const plainName = `^(?=[^${turning}]*?${visible})[^${turning}]*$`

/** What people say in their own words, on as many lines as they like, and read as it is written. */
export const plainText = `^(?:[^${turning}]|[\\t\\r\\n])*$`

/** What a text lacks that one of these patterns refuses. */
export const plainRules: Record<string, string> = {
  [plainName]:
    'must be on one line, have something to see, and hold no characters that control or turn the text (U+202E and the like)',
  [plainText]: 'must hold no characters that control or turn the text (U+202E and the like)',
}

/** The same text without what controls it or turns what follows: nobody sees that, and what is pasted may have it. */
export const unturned = (text: string) =>
  text.replace(/[\u2028\u2029]/g, '\n').replace(/(?![\t\r\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')

/** On one line as well: of names that were given before that was refused, or by a file. */
export const plainly = (text: string) => unturned(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))

export const Timestamp = Type.String({ format: 'date-time' })

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One member for each name, all of one schema, any of which may be left out. */
export const Any = <Name extends string, T extends TSchema>(names: readonly Name[], schema: T) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(schema)])) as Record<Name, TOptional<T>>

/** A body or query that refuses members it does not know. */
export const Strict = <T extends Record<string, TSchema>>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const Page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The `nextCursor` of the page before.' }),
  ),
}

export const NextCursor = Nullable(Type.String())
