import { type Static, Type } from 'typebox'
import { assetWords, mostTags } from '../../contract/assets.ts'
import { Crops, FocalPoint } from '../../contract/crops.ts'
import { Nullable, Strict, Timestamp, visible } from '../../contract/words.ts'

const FolderId = Type.String({ minLength: 1, maxLength: 300_000 })

export const PortableVersion = Strict({
  version: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
  // Two versions that stand on the same stored original name the same file.
  file: Type.String({ minLength: 1, maxLength: 16_000, description: 'Where it lies, from the manifest on.' }),
  originalFilename: Type.String({ minLength: 1, maxLength: 4096 }),
  mimeType: Type.String({ minLength: 1, maxLength: 255 }),
  sizeBytes: Type.Integer({ minimum: 1 }),
  sha256: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  createdAt: Nullable(Timestamp),
  // What a person set; the guess is made anew.
  focalPoint: Type.Optional(FocalPoint),
  crops: Type.Optional(Crops),
})
export type PortableVersion = Static<typeof PortableVersion>

export const ownWords = {
  ...assetWords,
  // As they were taken before what turns a text was refused; they are kept without it.
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: visible })),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: visible }), { maxItems: mostTags }),
  ),
  updatedAt: Nullable(Timestamp),
}

export const PortableAsset = Strict({
  assetId: Type.String({ minLength: 1, maxLength: 16_000 }),
  folderId: Nullable(FolderId),
  ...ownWords,
  createdAt: Type.Optional(Timestamp),
  trash: Type.Optional(Strict({ trashedAt: Timestamp, trashedWith: Nullable(FolderId) })),
  hold: Type.Optional(
    Strict({
      reason: Type.String({ minLength: 1, maxLength: 1000 }),
      heldBy: Type.String({ maxLength: 100 }),
      heldAt: Timestamp,
    }),
  ),
  // From the first to the one that counts now.
  versions: Type.Array(PortableVersion, { minItems: 1 }),
})
export type PortableAsset = Static<typeof PortableAsset>
