import { type Static, Type } from 'typebox'
import { mostIds } from './assets.ts'
import { AssetSearch } from './search.ts'
import { Id, Strict, Timestamp } from './words.ts'

export const mostInDownload = 20_000

export const NewDownload = Strict(
  {
    assetIds: Type.Optional(Type.Array(Id('asset'), { maxItems: mostIds })),
    folderIds: Type.Optional(
      Type.Array(Id('folder'), { maxItems: 100, description: 'Each with all below it.' }),
    ),
    search: Type.Optional(AssetSearch),
    except: Type.Optional(
      Type.Array(Id('asset'), { maxItems: mostIds, description: 'What of `search` is left out.' }),
    ),
  },
  { minProperties: 1, description: 'Either `assetIds` or a `search`, and `folderIds`.' },
)
export type NewDownload = Static<typeof NewDownload>

export const Download = Type.Object({
  downloadId: Id('download'),
  url: Type.String({
    description: 'For whoever asked alone: answers with the zip, whole or in ranges, until `expiresAt`.',
  }),
  filename: Type.String(),
  files: Type.Integer(),
  sizeBytes: Type.Integer({ description: 'Of the zip.' }),
  expiresAt: Timestamp,
})
export type Download = Static<typeof Download>
