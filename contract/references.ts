import { type Static, Type } from 'typebox'
import { Asset } from './assets.ts'
import { HttpUrl } from './http-url.ts'
import {
  Id,
  NextCursor,
  Nullable,
  Page,
  Strict,
  Surface,
  type Surface as SurfaceName,
  Timestamp,
} from './words.ts'

/** A ref that names nothing is told apart by its result, so any string may be asked for. */
export const AssetRef = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'An asset id for its current version, or `asset_…@N` to pin version N.',
})

export const useKinds = ['blog-post', 'social-post', 'gbp-update', 'website-job'] as const
export const UseKind = Type.Enum(useKinds)
export type UseKind = Static<typeof UseKind>

/** Where each kind of use shows its assets. */
export const surfaceOfKind: Record<UseKind, SurfaceName> = {
  'blog-post': 'website',
  'website-job': 'website',
  'social-post': 'social',
  'gbp-update': 'gbp',
}

export const useStatuses = ['draft', 'scheduled', 'running', 'done', 'cancelled'] as const
export const UseStatus = Type.Enum(useStatuses)
export type UseStatus = Static<typeof UseStatus>

/** Uses that go on: their refs can still be swapped. */
export const openStatuses = ['draft', 'scheduled', 'running'] as const satisfies UseStatus[]
/** Uses that hold their assets: what they point to cannot be trashed. */
export const holdingStatuses = ['scheduled', 'running'] as const satisfies UseStatus[]

export const Use = Type.Object({
  kind: UseKind,
  externalId: Type.String({ description: "The use's id in the system that makes it." }),
  clientId: Id('client'),
  surface: Surface,
  status: UseStatus,
  featuredAssetRef: Nullable(AssetRef),
  assetRefs: Type.Array(AssetRef, { description: 'In their order, e.g. the frames of a carousel.' }),
  scheduledFor: Nullable(Timestamp),
  title: Nullable(Type.String()),
  url: Nullable(Type.String()),
  createdAt: Timestamp,
  createdBy: Type.String(),
  updatedAt: Timestamp,
})
export type Use = Static<typeof Use>

export const UseInput = Strict({
  featuredAssetRef: Type.Optional(Nullable(AssetRef)),
  assetRefs: Type.Optional(
    Type.Array(AssetRef, { maxItems: 100, description: 'The order is kept, and a ref may come twice.' }),
  ),
  status: UseStatus,
  scheduledFor: Type.Optional(Nullable(Timestamp)),
  title: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
  url: Type.Optional(Nullable(HttpUrl)),
})
export type UseInput = Static<typeof UseInput>

export const ExternalId = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}]+$' })

export const UseQuery = Strict({
  kind: Type.Optional(UseKind),
  status: Type.Optional(UseStatus),
  ...Page,
})
export type UseQuery = Static<typeof UseQuery>

export const UsePage = Type.Object({ uses: Type.Array(Use), nextCursor: NextCursor })
export type UsePage = Static<typeof UsePage>

export const refusalCodes = [
  'not-found',
  'trashed',
  'surface-not-allowed',
  'rights-expired',
  'provenance-not-allowed',
  'media-failed',
  'target-refuses',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

export const RefRefusal = Type.Object({
  assetRef: AssetRef,
  ok: Type.Literal(false),
  code: Type.Enum(refusalCodes),
  detail: Type.String({ description: 'What is in the way.' }),
  fix: Type.String({ description: 'What the caller can do about it.' }),
  uses: Type.Optional(
    Type.Array(Use, { description: 'With `rights-expired`: where the asset is used or about to be.' }),
  ),
  deliveries: Type.Optional(
    Type.Array(
      Type.Object({
        deliveryId: Id('delivery'),
        connectionId: Id('connection'),
        remoteId: Nullable(Type.String()),
        remoteUrl: Nullable(Type.String()),
      }),
      { description: 'With `rights-expired`: to which systems it was delivered.' },
    ),
  ),
})
export type RefRefusal = Static<typeof RefRefusal>

export const RefResolution = Type.Object({
  assetRef: AssetRef,
  ok: Type.Literal(true),
  pinnedRef: Type.String({ description: 'The same asset in exactly this version, for ever.' }),
  asset: Asset,
  version: Type.Integer(),
  target: Type.String({ description: 'Whose rules were applied: the target named, or the surface.' }),
  rendition: Type.Object({
    as: Type.Enum(['original', 'rendition'], { description: 'Sent as it is, or converted first.' }),
    mimeType: Type.String(),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
  }),
  reasons: Type.Array(Type.String({ description: 'Why it is converted.' })),
})
export type RefResolution = Static<typeof RefResolution>

export const Resolve = Strict({
  assetRefs: Type.Array(AssetRef, { minItems: 1, maxItems: 100 }),
  surface: Surface,
  target: Type.Optional(
    Type.String({ maxLength: 60, description: 'The system behind the surface, e.g. `instagram`.' }),
  ),
})
export type Resolve = Static<typeof Resolve>

export const Resolved = Type.Object({
  results: Type.Array(Type.Union([RefResolution, RefRefusal]), {
    description: 'One per ref, in the order asked.',
  }),
})
export type Resolved = Static<typeof Resolved>

export const RefSwap = Strict({
  from: Type.String({
    maxLength: 200,
    description: 'A pinned ref means that pin only; an unpinned one the asset in whatever version.',
  }),
  to: AssetRef,
})
export type RefSwap = Static<typeof RefSwap>

export const RefsSwapped = Type.Object({
  uses: Type.Array(Use, { description: 'The draft, scheduled and running uses that were changed.' }),
})
export type RefsSwapped = Static<typeof RefsSwapped>
