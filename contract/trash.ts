import { type Static, Type } from 'typebox'
import { Id, Strict, visible } from './words.ts'

const kept = Type.Object(
  { held: Type.Integer(), inUse: Type.Integer() },
  { description: 'Assets that stay: under a legal hold, and held by a scheduled or running use.' },
)

export const TrashQuery = Strict({
  folderId: Type.Optional({
    ...Id('folder'),
    description: 'A folder in the trash: what went there with it.',
  }),
})
export type TrashQuery = Static<typeof TrashQuery>

export const TrashContents = Type.Object({
  assets: Type.Integer({ description: 'How many would be removed.' }),
  folders: Type.Integer(),
  bytes: Type.Integer({ description: 'What that would free.' }),
  kept,
})
export type TrashContents = Static<typeof TrashContents>

export const TrashEmptied = Type.Object({
  deleted: Type.Object({ assets: Type.Integer(), folders: Type.Integer() }),
  freedBytes: Type.Integer(),
  kept,
  more: Type.Boolean({ description: 'There is more than one request removes: send it again.' }),
})
export type TrashEmptied = Static<typeof TrashEmptied>

export const AssetDeletion = Strict({
  permanently: Type.Optional(
    Type.Boolean({ description: 'Delete for good what is in the trash. Needs `assets:purge`.' }),
  ),
})
export type AssetDeletion = Static<typeof AssetDeletion>

export const LegalHold = Strict({
  held: Type.Boolean(),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: visible,
      description: 'Needed with `held`. Everybody who sees the asset can read it.',
    }),
  ),
})
export type LegalHold = Static<typeof LegalHold>
