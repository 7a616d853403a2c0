import { type Static, Type } from 'typebox'
import { Asset } from './assets.ts'
import { Use } from './references.ts'
import { Id, NextCursor, Page, Strict, Timestamp } from './words.ts'

/** Of a group, as many as an answer lists; and as many as one request merges. */
export const mostInGroup = 50

export const duplicateKinds = ['exact', 'near'] as const
const Kind = Type.Enum(duplicateKinds, {
  description: '`exact`: the very same bytes. `near`: pictures that look the same; colours do not count.',
})
export type DuplicateKind = (typeof duplicateKinds)[number]

export const keepReasons = ['approved', 'most-used', 'largest', 'best-described', 'oldest'] as const
export type KeepReason = (typeof keepReasons)[number]

export const Duplicate = Type.Object({
  asset: Asset,
  uses: Type.Integer({ description: 'That were not cancelled.' }),
  deliveries: Type.Integer({ description: 'That are there.' }),
  collections: Type.Integer(),
  comments: Type.Integer(),
})
export type Duplicate = Static<typeof Duplicate>

export const DuplicateGroup = Type.Object({
  kind: Kind,
  duplicates: Type.Array(Duplicate, { description: `The oldest first; at most ${mostInGroup}.` }),
  more: Type.Boolean({ description: 'There are more of them than are listed.' }),
  suggested: Type.String({ description: 'The asset that had better be kept.' }),
  why: Type.Array(Type.Enum(keepReasons), { description: 'What it has before all others.' }),
})
export type DuplicateGroup = Static<typeof DuplicateGroup>

export const DuplicateQuery = Strict({
  kind: Type.Optional(Kind),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  cursor: Page.cursor,
})
export type DuplicateQuery = Static<typeof DuplicateQuery>

export const DuplicatePage = Type.Object({
  groups: Type.Array(DuplicateGroup, {
    description: 'So many assets are looked at for a page: it may be empty, and others may follow.',
  }),
  nextCursor: NextCursor,
})
export type DuplicatePage = Static<typeof DuplicatePage>

export const KeepOne = Strict({
  keep: Id('asset'),
  others: Type.Array(Id('asset'), { minItems: 1, maxItems: mostInGroup, uniqueItems: true }),
})
export type KeepOne = Static<typeof KeepOne>

const limitFields = ['allowedSurfaces', 'rightsExpireAt', 'provenance'] as const
export type Limits = Pick<Asset, (typeof limitFields)[number]>

export const KeptOne = Type.Object({
  asset: Asset,
  before: Type.Partial(
    Type.Pick(Asset, limitFields, {
      description:
        'Where a limit of the others counts now, what the one that is kept had: enough to take it back.',
    }),
  ),
  merged: Type.Array(Id('asset'), {
    description:
      'Now in the trash; their refs lead to the one that was kept, pinned ones to its version with the same bytes.',
  }),
  uses: Type.Array(Use, {
    description: 'The draft, scheduled and running uses that were changed, each once.',
  }),
})
export type KeptOne = Static<typeof KeptOne>

/** As many as are kept apart at once, with those that a group does not list. */
export const mostKept = 10_000

export const KeepAll = Strict({
  assetIds: Type.Array(Id('asset'), { minItems: 2, maxItems: mostInGroup, uniqueItems: true }),
  more: Type.Optional(
    Type.Enum(duplicateKinds, {
      description: `Of a group with \`more\` than are listed, its \`kind\`: all others go with these that have the same bytes as one of them, or look like it; at most ${mostKept} in all.`,
    }),
  ),
})
export type KeepAll = Static<typeof KeepAll>

export const KeptGroup = Type.Object({
  keptGroupId: Id('group'),
  assets: Type.Array(Asset, { description: `Also those in the trash; at most ${mostInGroup}.` }),
  count: Type.Integer({ description: 'Of all its assets.' }),
  keptAt: Timestamp,
  keptBy: Type.String(),
})
export type KeptGroup = Static<typeof KeptGroup>

export const KeptGroupQuery = Strict({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  cursor: Page.cursor,
})
export type KeptGroupQuery = Static<typeof KeptGroupQuery>

export const KeptGroupPage = Type.Object({
  keptGroups: Type.Array(KeptGroup, {
    description: 'The latest first. One that a later one has all assets of shows once that one is gone.',
  }),
  count: Type.Integer({ description: 'Of all there are.' }),
  nextCursor: NextCursor,
})
export type KeptGroupPage = Static<typeof KeptGroupPage>
