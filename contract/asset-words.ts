import { type Static, Type } from 'typebox'
import { AltText, Asset, Description, Tags, Title } from './assets.ts'
import { AssetSearch } from './search.ts'
import { mostCharacters } from './word-lengths.ts'
import { Id, NextCursor, Page, Strict } from './words.ts'

/** What people write of an asset, and the state of it that a change is based on. */
export const AssetWords = Type.Object({
  ...Type.Pick(Asset, [
    'assetId',
    'assetRef',
    'version',
    'originalFilename',
    'folderId',
    'title',
    'altText',
    'description',
    'tags',
  ]).properties,
  etag: Type.String({
    description: 'To be sent as `ifMatch`: what somebody has changed since is not overwritten.',
  }),
})
export type AssetWords = Static<typeof AssetWords>

export const WordsQuery = Strict({
  ...AssetSearch.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  cursor: Page.cursor,
})
export type WordsQuery = Static<typeof WordsQuery>

export const WordsPage = Type.Object({ rows: Type.Array(AssetWords), nextCursor: NextCursor })
export type WordsPage = Static<typeof WordsPage>

export const mostWordChanges = 100

export const WordChange = Strict({
  assetId: Id('asset'),
  ifMatch: Type.String({ maxLength: 100 }),
  title: Type.Optional(Title),
  altText: Type.Optional(AltText),
  description: Type.Optional(Description),
  tags: Type.Optional(Tags),
})
export type WordChange = Static<typeof WordChange>

export const WordChanges = Strict({
  changes: Type.Array(WordChange, {
    minItems: 1,
    maxItems: mostWordChanges,
    description: `With ${mostCharacters} characters in all of them at most, unless it is a dry run.`,
  }),
  dryRun: Type.Optional(Type.Boolean({ description: 'Only say how each would go.' })),
})
export type WordChanges = Static<typeof WordChanges>

export const WordResults = Type.Object({
  results: Type.Array(
    Type.Object({
      assetId: Type.String(),
      ok: Type.Boolean(),
      words: Type.Optional({
        ...AssetWords,
        description: 'As it is now, also where the change was refused.',
      }),
      problem: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
    }),
  ),
})
export type WordResults = Static<typeof WordResults>
