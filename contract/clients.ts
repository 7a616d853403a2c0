import { type Static, Type } from 'typebox'
import { ocrLanguages } from './ocr-languages.ts'
import { Id, NextCursor, Nullable, Page, plainName, Strict, Surface, surfaces, Timestamp } from './words.ts'

export const Integration = Type.Object({
  connectionId: Type.String(),
  kind: Type.String(),
  status: Type.String(),
  lastCheckedAt: Nullable(Timestamp),
  lastError: Nullable(Type.String()),
})

const OcrLanguage = Type.Enum(ocrLanguages)

export const Client = Type.Object({
  clientId: Id('client'),
  name: Type.String(),
  quotaBytes: Type.Integer(),
  storedBytes: Type.Integer(),
  reservedBytes: Type.Integer({ description: 'Announced by open upload sessions.' }),
  approvedOnlySurfaces: Type.Array(Surface, {
    description: 'Where only what is approved may be used: anything else is refused with `not-approved`.',
  }),
  ocrLanguages: Nullable(
    Type.Array(OcrLanguage, {
      description:
        'Languages in which words in its pictures are read, the most likely first. Empty: none are. Null: those of the installation.',
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Client = Static<typeof Client>

export const ClientRecord = Type.Object({
  ...Client.properties,
  readsWords: Type.Boolean({
    description: 'Whether words in pictures are read on this installation at all.',
  }),
  integrations: Type.Array(Integration),
})
export type ClientRecord = Static<typeof ClientRecord>

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: plainName })
const QuotaBytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const NewClient = Strict({ name: Name, quotaBytes: Type.Optional(QuotaBytes) })
export type NewClient = Static<typeof NewClient>

export const ClientChange = Strict(
  {
    name: Type.Optional(Name),
    quotaBytes: Type.Optional(QuotaBytes),
    approvedOnlySurfaces: Type.Optional(
      Type.Array(Surface, { maxItems: surfaces.length, uniqueItems: true }),
    ),
    ocrLanguages: Type.Optional(
      Nullable(Type.Array(OcrLanguage, { maxItems: ocrLanguages.length, uniqueItems: true })),
    ),
  },
  { minProperties: 1 },
)
export type ClientChange = Static<typeof ClientChange>

export const ClientQuery = Strict({ q: Type.Optional(Type.String({ maxLength: 120 })), ...Page })
export type ClientQuery = Static<typeof ClientQuery>

export const ClientPage = Type.Object({ clients: Type.Array(Client), nextCursor: NextCursor })
export type ClientPage = Static<typeof ClientPage>

export const RemoveClient = Strict({
  confirmName: Type.String({ maxLength: 120, description: 'The name of the client, as it is.' }),
})
export type RemoveClient = Static<typeof RemoveClient>

export const ClientRemoval = Type.Object({
  clientId: Id('client'),
  askedAt: Timestamp,
  askedBy: Type.String(),
  finishedAt: Nullable(Type.String({ format: 'date-time', description: 'Null while it is under way.' })),
  storedBytes: Type.Integer({ description: 'What its originals took when it was asked for.' }),
  rows: Type.Record(Type.String(), Type.Integer(), { description: 'How many rows of each table are gone.' }),
  objects: Type.Integer({ description: 'Objects removed from the store.' }),
  objectBytes: Type.Integer(),
})
export type ClientRemoval = Static<typeof ClientRemoval>

export const ClientRemovals = Type.Object({
  removals: Type.Array(ClientRemoval, { description: 'The newest 200.' }),
})
export type ClientRemovals = Static<typeof ClientRemovals>

export const ClientRemovalQuery = Strict({ clientId: Type.Optional(Id('client')) })
export type ClientRemovalQuery = Static<typeof ClientRemovalQuery>
