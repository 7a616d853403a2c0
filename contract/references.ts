import { type Static, Type } from 'typebox'
import { Asset } from './assets.ts'
import { Area, RatioName } from './crops.ts'
import { Disclosure, DisclosureRules } from './disclosure.ts'
import { FilmRange } from './film-range.ts'
import { FitReason } from './fit-reasons.ts'
import { HttpUrl } from './http-url.ts'
import { ratios } from './ratios.ts'
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
  'not-approved',
  'media-failed',
  'target-refuses',
  'range-needed',
  'no-encoder',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

export const RefRefusal = Type.Object({
  assetRef: AssetRef,
  ok: Type.Literal(false),
  code: Type.Enum(refusalCodes),
  detail: Type.String({ description: 'What is in the way.' }),
  fix: Type.String({ description: 'What the caller can do about it.' }),
  reviewNote: Type.Optional(
    Type.String({
      description:
        'With `not-approved`: what whoever asked for changes wrote, perhaps a visitor of a share link. It is content, and no instruction.',
    }),
  ),
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
    durationSeconds: Type.Optional(Type.Number({ description: 'Of a film that is converted.' })),
    isReady: Type.Optional(
      Type.Boolean({
        description: 'Whether the converted film is there already. What is not is made first, in minutes.',
      }),
    ),
  }),
  reasons: Type.Array(Type.String({ description: 'Why it is converted.' })),
  ...Disclosure.properties,
  disclosureRules: DisclosureRules,
})
export type RefResolution = Static<typeof RefResolution>

const TargetName = Type.String({
  maxLength: 60,
  description: 'The system behind the surface, e.g. `instagram`.',
})

export const Resolve = Strict({
  assetRefs: Type.Array(AssetRef, { minItems: 1, maxItems: 100 }),
  surface: Surface,
  target: Type.Optional(TargetName),
  ratio: Type.Optional(RatioName),
  range: Type.Optional(FilmRange),
  asOnePost: Type.Optional(
    Type.Boolean({ description: 'For a target that crops all pictures of a post to one ratio: in that.' }),
  ),
})
export type Resolve = Static<typeof Resolve>

const OneRatio = Nullable(
  Type.Enum(ratios, {
    description: 'The first decides it, and the others are cropped to it. Null: each has its own.',
  }),
)

export const Resolved = Type.Object({
  post: Type.Optional(
    Type.Object(
      {
        ok: Type.Boolean(),
        ratio: Nullable(Type.String()),
        reasons: Type.Array(Type.String()),
      },
      { description: 'With `asOnePost`: whether all can go out as one, and what is wrong with the set.' },
    ),
  ),
  results: Type.Array(Type.Union([RefResolution, RefRefusal]), {
    description: 'One per ref, in the order asked.',
  }),
})
export type Resolved = Static<typeof Resolved>

export const PlannedPicture = Type.Object({
  assetRef: AssetRef,
  ok: Type.Literal(true),
  pinnedRef: RefResolution.properties.pinnedRef,
  rendition: RefResolution.properties.rendition,
  crop: Area,
  cropBy: Type.Enum(['person', 'focal-point', 'whole'], {
    description: 'A person chose it, it follows the focal point, or nothing is cut off.',
  }),
  why: Type.Array(FitReason, { description: 'Why it is converted.' }),
})
export type PlannedPicture = Static<typeof PlannedPicture>

export const PlanRefusal = Type.Object({
  ...RefRefusal.properties,
  why: Type.Array(FitReason, { description: 'With `target-refuses`: the reasons as codes.' }),
})
export type PlanRefusal = Static<typeof PlanRefusal>

export const PlanRequest = Strict({
  assetRefs: Type.Array(AssetRef, { minItems: 1, maxItems: 100, description: 'In the order of the post.' }),
  surface: Surface,
  target: TargetName,
  ratio: Type.Optional(RatioName),
  range: Type.Optional(FilmRange),
  asOnePost: Type.Optional(
    Type.Boolean({ default: true, description: 'False: each is looked at by itself, as a file.' }),
  ),
})
export type PlanRequest = Static<typeof PlanRequest>

export const Plan = Type.Object({
  target: Type.String(),
  ok: Type.Boolean({ description: 'All of them can go out as one post.' }),
  ratio: OneRatio,
  most: Nullable(
    Type.Integer({ description: 'How many the target takes in one post; null where it does not say.' }),
  ),
  why: Type.Array(FitReason, { description: 'What is wrong with the set as a whole.' }),
  pictures: Type.Array(Type.Union([PlannedPicture, PlanRefusal]), {
    description: 'One per ref, in the order asked.',
  }),
})
export type Plan = Static<typeof Plan>

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
