import { type Static, Type } from 'typebox'
import { Asset, assetWords } from './assets.ts'
import { ProblemBody } from './problems.ts'
import { Id, Nullable, Strict, Timestamp } from './words.ts'

export const uploadStatuses = [
  'awaiting-upload',
  'uploaded',
  'finalized',
  'rejected',
  'expired',
  'aborted',
] as const
export const UploadStatus = Type.Enum(uploadStatuses)

export const NewUploadSession = Strict({
  originalFilename: Type.String({ minLength: 1, maxLength: 4096 }),
  mimeType: Type.String({ minLength: 1, maxLength: 255 }),
  expectedSizeBytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  folderId: Type.Optional(Nullable(Id('folder'))),
  sha256: Type.Optional(Type.String({ maxLength: 64, pattern: '^[0-9a-fA-F]{64}$' })),
  replacesAssetId: Type.Optional(Id('asset')),
})
export type NewUploadSession = Static<typeof NewUploadSession>

const UploadUrl = Nullable(
  Type.String({
    description:
      'Takes the file in one PUT, with no header repeated. Null when only parts will do, or nothing is awaited.',
  }),
)

export const UploadSession = Type.Object({
  uploadSessionId: Id('upload'),
  uploadUrl: UploadUrl,
  uploadToken: Type.String(),
  expiresAt: Timestamp,
  status: UploadStatus,
  multipart: Type.Optional(Type.Object({ partSizeBytes: Type.Integer() })),
})
export type UploadSession = Static<typeof UploadSession>

export const UploadProgress = Type.Object({
  uploadSessionId: Id('upload'),
  status: UploadStatus,
  originalFilename: Type.String(),
  mimeType: Type.String(),
  expectedSizeBytes: Type.Integer(),
  expiresAt: Timestamp,
  uploadUrl: UploadUrl,
  multipart: Type.Optional(
    Type.Object({ partSizeBytes: Type.Integer(), uploadedPartNumbers: Type.Array(Type.Integer()) }),
  ),
  assetId: Nullable(Id('asset')),
  problem: Nullable(ProblemBody),
})
export type UploadProgress = Static<typeof UploadProgress>

export const PartsRequest = Strict({
  uploadToken: Type.String({ minLength: 1, maxLength: 200 }),
  partNumbers: Type.Array(Type.Integer({ minimum: 1, maximum: 10_000 }), { minItems: 1, maxItems: 1000 }),
})
export type PartsRequest = Static<typeof PartsRequest>

export const PartUrls = Type.Object({
  parts: Type.Array(
    Type.Object({ partNumber: Type.Integer(), sizeBytes: Type.Integer(), uploadUrl: Type.String() }),
  ),
  expiresAt: Timestamp,
})
export type PartUrls = Static<typeof PartUrls>

export const Finalize = Strict({
  uploadToken: Type.String({ minLength: 1, maxLength: 200 }),
  ...assetWords,
  folderId: Type.Optional(Nullable(Id('folder'))),
})
export type Finalize = Static<typeof Finalize>

export const FinalizedAsset = Type.Object({
  ...Asset.properties,
  duplicateOf: Nullable(Type.String({ description: 'An asset of this client with the very same bytes.' })),
})
export type FinalizedAsset = Static<typeof FinalizedAsset>

export const mostNames = 500
export const NamesQuestion = Strict({
  folderId: Nullable(Id('folder')),
  names: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: mostNames }),
})
export type NamesQuestion = Static<typeof NamesQuestion>

export const TakenNames = Type.Object({
  taken: Type.Array(Type.Object({ name: Type.String(), assetId: Id('asset'), title: Type.String() }), {
    description: 'The assets right in this folder whose files have these names, whatever their case.',
  }),
})
export type TakenNames = Static<typeof TakenNames>

export const UploadLimits = Type.Object({
  maxSizeBytes: Type.Record(Type.String(), Type.Integer()),
  sessionLifetimeSeconds: Type.Integer(),
  urlLifetimeSeconds: Type.Integer(),
  multipartFromBytes: Type.Integer(),
  uploadsHere: Type.Boolean({
    description:
      'Files are put to this very server: the path of an upload URL is good at any address that leads to it.',
  }),
  trashDays: Type.Integer({ description: 'How long the trash keeps what was deleted.' }),
  quota: Type.Object({
    quotaBytes: Type.Integer(),
    storedBytes: Type.Integer(),
    reservedBytes: Type.Integer(),
  }),
})
export type UploadLimits = Static<typeof UploadLimits>
