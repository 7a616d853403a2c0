import { Type } from 'typebox'
import { Asset, AssetQuery } from '../../../contract/assets.ts'
import { NextCursor, Strict } from '../../../contract/words.ts'
import { listAssets } from '../../assets/listing.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

/** As much of an asset as one needs to choose among many. */
const Found = Type.Pick(Asset, [
  'assetRef',
  'title',
  'description',
  'altText',
  'tags',
  'allowedSurfaces',
  'provenance',
  'rightsExpireAt',
  'approval',
  'mimeType',
  'width',
  'height',
  'durationSeconds',
  'folderId',
  'createdAt',
])

const { q, tag, surface, mimeType, missingAltText, approval, used, sort, cursor } = AssetQuery.properties

export const searchAssets = tool({
  name: 'search_assets',
  title: 'Search assets',
  description:
    'Finds images and videos of a client: by words, tag, surface where they may be used, type, folder, approval. With surface only what you may use there now; where the client wants approved assets only, approval=none finds what people have yet to be asked about. Answers with assetRefs to use in the other tools. Without folderId it searches all folders.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({
    clientId: ClientId,
    q,
    folderId: AssetQuery.properties.folderId,
    tag,
    surface,
    mimeType,
    missingAltText,
    approval,
    used,
    sort,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
    cursor,
  }),
  output: Type.Object({ assets: Type.Array(Found), nextCursor: NextCursor }),
  async run(agent, { clientId, ...query }) {
    const library = await libraryFor(agent, clientId)
    const page = await listAssets(
      library,
      { ...query, everywhere: query.folderId === undefined },
      { folders: false },
    )
    return { answer: { assets: page.assets.map(brief), nextCursor: page.nextCursor } }
  },
})

const brief = (asset: Asset) => ({
  assetRef: asset.assetRef,
  title: asset.title,
  description: asset.description,
  altText: asset.altText,
  tags: asset.tags,
  allowedSurfaces: asset.allowedSurfaces,
  provenance: asset.provenance,
  rightsExpireAt: asset.rightsExpireAt,
  approval: asset.approval,
  mimeType: asset.mimeType,
  width: asset.width,
  height: asset.height,
  durationSeconds: asset.durationSeconds,
  folderId: asset.folderId,
  createdAt: asset.createdAt,
})
