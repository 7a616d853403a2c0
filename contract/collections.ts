import { type Static, Type } from 'typebox'
import { Id, NextCursor, Page, plainName, Strict, Timestamp } from './words.ts'

/** So many a client may have, and so many assets may stand in one: those in the trash count, they can come back. */
export const mostCollections = 500
export const mostInCollection = 10_000
/** Of one request. */
export const mostCollected = 500

export const Collection = Type.Object({
  collectionId: Id('collection'),
  clientId: Id('client'),
  name: Type.String(),
  assetCount: Type.Integer({ description: 'Without those in the trash.' }),
  createdAt: Timestamp,
  createdBy: Type.String(),
  updatedAt: Timestamp,
})
export type Collection = Static<typeof Collection>

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: plainName })
const AssetIds = Type.Array(Id('asset'), { minItems: 1, maxItems: mostCollected, uniqueItems: true })

export const NewCollection = Strict({
  name: Name,
  assetIds: Type.Optional(AssetIds),
})
export type NewCollection = Static<typeof NewCollection>

export const CollectionChange = Strict({ name: Name })
export type CollectionChange = Static<typeof CollectionChange>

/** Longer pages than elsewhere: whoever chooses one needs all of them. */
export const CollectionQuery = Strict({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostCollections, default: 200 })),
  cursor: Page.cursor,
})
export type CollectionQuery = Static<typeof CollectionQuery>

export const CollectionPage = Type.Object({ collections: Type.Array(Collection), nextCursor: NextCursor })
export type CollectionPage = Static<typeof CollectionPage>

export const Collections = Type.Object({ collections: Type.Array(Collection) })
export type Collections = Static<typeof Collections>

const before = Type.Optional({
  ...Id('asset'),
  description: 'The asset of the collection before which they are put; absent: at the end.',
})

export const CollectedAssets = Strict({ assetIds: AssetIds, before })
export type CollectedAssets = Static<typeof CollectedAssets>

export const TakenOut = Strict({ assetIds: AssetIds })
export type TakenOut = Static<typeof TakenOut>
