import { type Static, type TSchema, Type } from 'typebox'
import { RatioName } from './crops.ts'
import { BaseUrl, HttpUrl } from './http-url.ts'
import { OutboundReason } from './outbound-reasons.ts'
import { AssetRef } from './references.ts'
import { SignedIn, SignInOffer, type SignInProvider } from './sign-in.ts'
import { Id, NextCursor, Nullable, Page, Strict, Surface, Timestamp, visible } from './words.ts'

/** As a header can carry it. */
export const AccessToken = Type.String({ maxLength: 4000, pattern: '^[!-~]+$', format: 'password' })
const Name = Type.String({ minLength: 1, maxLength: 120, pattern: visible })

/** How long what a post says may be, or must be. */
export interface PostRules {
  text: { min: number; max: number }
}

const OwnerUrn = Type.String({
  pattern: '^urn:li:(organization|person):[A-Za-z0-9_-]{1,60}$',
  maxLength: 100,
})
const AccountNumber = Type.String({ pattern: '^[0-9]{1,40}$', maxLength: 40 })

/**
 * What each kind of connection asks for, on which surfaces its files are shown, and whose rules they must fit. Settings
 * are shown again; secrets never are. Where there is a provider, people sign in with it, or paste a token. Where there
 * are rules for a post, it is published at once, with what it says.
 */
export const connectionKinds = {
  wordpress: {
    surfaces: ['website'],
    rules: 'wordpress',
    provider: undefined,
    settings: Strict({ siteUrl: BaseUrl }),
    secrets: Strict({
      // As RFC 7617 has them.
      username: Type.String({ maxLength: 200, pattern: '^[^:\\p{Cc}]+$' }),
      applicationPassword: Type.String({ maxLength: 4000, pattern: '^\\P{Cc}+$', format: 'password' }),
    }),
  },
  webhook: {
    surfaces: ['website', 'social', 'gbp'],
    rules: undefined,
    provider: undefined,
    settings: Strict({
      url: HttpUrl,
      honoursIdempotencyKey: Type.Optional(
        Type.Boolean({
          description:
            'The receiver makes one thing of all requests with one Idempotency-Key, so a lost answer is asked for again.',
        }),
      ),
      asJson: Type.Optional(
        Type.Boolean({
          description:
            'One JSON text with the file in base64 as `data.file`, which any Standard Webhooks library verifies as it comes. Otherwise multipart/form-data of `message` and `file`, with a signature of the message and one of the whole body.',
        }),
      ),
    }),
    secrets: Strict({
      signingSecret: Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
        maxLength: 200,
        format: 'password',
        description: 'whsec_ and the key in base64, at least 24 bytes.',
      }),
    }),
  },
  gbp: {
    surfaces: ['gbp'],
    rules: 'google-business-profile-gallery',
    provider: 'google',
    settings: Strict({
      accountId: AccountNumber,
      locationId: AccountNumber,
      category: Type.Optional(
        Type.Enum(['ADDITIONAL', 'EXTERIOR', 'INTERIOR', 'PRODUCT', 'AT_WORK', 'FOOD_AND_DRINK', 'TEAMS']),
      ),
      baseUrl: Type.Optional(BaseUrl),
    }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  linkedin: {
    surfaces: ['social'],
    rules: 'linkedin',
    provider: 'linkedin',
    settings: Strict({ ownerUrn: OwnerUrn, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Posts have up to 3,000 characters: learn.microsoft.com/linkedin, Posts API, 2026-11-15.
  'linkedin-posts': {
    surfaces: ['social'],
    rules: 'linkedin',
    provider: 'linkedin',
    post: { text: { min: 1, max: 3000 } },
    settings: Strict({ ownerUrn: OwnerUrn, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Updates have up to 1,500 characters: support.google.com/business, “Create posts”, 2026-11-15.
  'gbp-posts': {
    surfaces: ['gbp'],
    rules: 'google-business-profile-posts',
    provider: 'google',
    post: { text: { min: 1, max: 1500 } },
    settings: Strict({
      accountId: AccountNumber,
      locationId: AccountNumber,
      languageCode: Type.Optional(
        Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, default: 'en' }),
      ),
      baseUrl: Type.Optional(BaseUrl),
    }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Posts have up to 63,206 characters: developers.facebook.com/docs/pages-api/posts, 2026-11-15.
  'facebook-page': {
    surfaces: ['social'],
    rules: 'facebook-page',
    provider: 'meta',
    post: { text: { min: 0, max: 63_206 } },
    settings: Strict({ pageId: AccountNumber, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Captions have up to 2,200 characters: developers.facebook.com/docs/instagram-platform, IG User Media, 2026-11-15.
  instagram: {
    surfaces: ['social'],
    rules: 'instagram',
    provider: 'meta',
    post: { text: { min: 0, max: 2200 } },
    settings: Strict({ userId: AccountNumber, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
} as const satisfies Record<
  string,
  {
    surfaces: readonly Surface[]
    rules: string | undefined
    post?: PostRules
    provider: SignInProvider | undefined
    settings: TSchema
    secrets: TSchema
  }
>

export type ConnectionKind = keyof typeof connectionKinds
/** The rules for a post, where a delivery to this kind of connection is one. */
export const postRules = (kind: ConnectionKind): PostRules | undefined =>
  (connectionKinds[kind] as { post?: PostRules }).post
export const connectionKindNames = Object.keys(connectionKinds) as ConnectionKind[]
export type ConnectionSettings<Kind extends ConnectionKind> = Static<
  (typeof connectionKinds)[Kind]['settings']
>
export type ConnectionSecrets<Kind extends ConnectionKind> = Static<(typeof connectionKinds)[Kind]['secrets']>
/** Kinds that are signed in to. */
export type SignInKind = {
  [Kind in ConnectionKind]: (typeof connectionKinds)[Kind]['provider'] extends string ? Kind : never
}[ConnectionKind]

const Kind = Type.Enum(connectionKindNames)
const Fields = Type.Record(Type.String(), Type.Unknown())

export const connectionStatuses = ['untested', 'connected', 'error'] as const

export const Connection = Type.Object({
  connectionId: Id('connection'),
  clientId: Id('client'),
  kind: Kind,
  name: Type.String(),
  settings: Fields,
  status: Type.Enum(connectionStatuses),
  lastCheckedAt: Nullable(Timestamp),
  lastError: Nullable(Type.String()),
  lastErrorReason: Nullable(OutboundReason),
  signedIn: Nullable(SignedIn),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Connection = Static<typeof Connection>
export const Connections = Type.Object({
  connections: Type.Array(Connection),
  signIn: Type.Array(SignInOffer),
})
export type Connections = Static<typeof Connections>

export const NewConnection = Strict({
  kind: Kind,
  name: Name,
  settings: Fields,
  secrets: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Left out where somebody is to sign in: see POST …/connections/{connectionId}/sign-in.',
    }),
  ),
})
export type NewConnection = Static<typeof NewConnection>

export const ConnectionChange = Strict(
  { name: Type.Optional(Name), settings: Type.Optional(Fields), secrets: Type.Optional(Fields) },
  { minProperties: 1 },
)
export type ConnectionChange = Static<typeof ConnectionChange>

export const deliveryStatuses = [
  'queued',
  'preparing',
  'sending',
  'done',
  'failed',
  'unknown',
  'cancelled',
  'removed',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Not yet at an end: somebody is at it, or soon will be. */
export const openStatuses: readonly DeliveryStatus[] = ['queued', 'preparing', 'sending']

/** What can be done with a delivery, and in which states. From each of them some of it leads to an end. */
export const deliveryActs = {
  /** What may be there is looked for first; what is there gets its words again. */
  retry: deliveryStatuses,
  cancel: [...openStatuses, 'failed'],
  /** Somebody has looked: it is there, or it is not. */
  settle: ['unknown', 'failed', 'done'],
  confirm: ['done'],
  undo: ['done', 'removed'],
} as const satisfies Record<string, readonly DeliveryStatus[]>
export type DeliveryAct = keyof typeof deliveryActs
const Status = Type.Enum(deliveryStatuses, {
  description:
    '`unknown`: it was sent and nobody can say whether it arrived; a person settles it. `removed`: it was taken back, there or here.',
})

export const Delivery = Type.Object({
  deliveryId: Id('delivery'),
  clientId: Id('client'),
  connectionId: Id('connection'),
  assetId: Id('asset'),
  assetRef: Type.String({ description: 'Pinned to the version that is delivered.' }),
  assetRefs: Type.Array(Type.String(), { description: 'All that a post shows, in order, pinned.' }),
  text: Nullable(Type.String({ description: 'What a post says. Null where a file alone is delivered.' })),
  version: Type.Integer(),
  surface: Surface,
  rendition: Type.String({ description: 'Which form of the version is sent.' }),
  status: Status,
  attempts: Type.Integer(),
  progress: Type.Object({ sentBytes: Type.Integer(), totalBytes: Nullable(Type.Integer()) }),
  remoteId: Nullable(Type.String()),
  remoteUrl: Nullable(Type.String()),
  lastError: Nullable(Type.String()),
  lastErrorReason: Nullable(OutboundReason),
  replacesDeliveryId: Nullable(Id('delivery')),
  createdAt: Timestamp,
  createdBy: Type.String(),
  updatedAt: Timestamp,
})
export type Delivery = Static<typeof Delivery>

export const mostInPost = 35
export const longestPostText = 70_000

export const NewDelivery = Strict({
  assetRef: AssetRef,
  connectionId: Id('connection'),
  surface: Surface,
  text: Type.Optional(
    Type.String({
      maxLength: longestPostText,
      description: 'What the post says. Needed where the connection publishes posts, and only there.',
    }),
  ),
  moreAssetRefs: Type.Optional(
    Type.Array(AssetRef, {
      maxItems: mostInPost - 1,
      description: 'The further pictures of the same post, such as a carousel, in order.',
    }),
  ),
})
export type NewDelivery = Static<typeof NewDelivery>

export const Redelivery = Strict({ assetRef: AssetRef })
export type Redelivery = Static<typeof Redelivery>
export const Deliveries = Type.Object({
  deliveries: Type.Array(Delivery),
  refused: Type.Array(
    Type.Object({ connectionId: Type.String(), code: Type.String(), detail: Type.String() }),
  ),
})
export type Deliveries = Static<typeof Deliveries>

export const Settlement = Strict({
  outcome: Type.Enum(['there', 'not-there']),
  remoteId: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  remoteUrl: Type.Optional(HttpUrl),
})
export type Settlement = Static<typeof Settlement>

export const DeliveryQuery = Strict({
  assetId: Type.Optional(Id('asset')),
  connectionId: Type.Optional(Id('connection')),
  status: Type.Optional(Status),
  ...Page,
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const DeliveryPage = Type.Object({ deliveries: Type.Array(Delivery), nextCursor: NextCursor })
export type DeliveryPage = Static<typeof DeliveryPage>

export const longestPullSeconds = 86_400

export const NewPullGrant = Strict({
  assetRef: AssetRef,
  surface: Surface,
  target: Type.String({ maxLength: 60, description: 'The system that will fetch, e.g. `instagram`.' }),
  ratio: Type.Optional(RatioName),
  ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: longestPullSeconds, default: 3600 })),
})
export type NewPullGrant = Static<typeof NewPullGrant>

export const pullGrantStates = ['open', 'expired', 'revoked', 'delivered'] as const
export type PullGrantState = (typeof pullGrantStates)[number]

export const PullGrant = Type.Object({
  pullGrantId: Id('grant'),
  clientId: Id('client'),
  state: Type.Enum(pullGrantStates, {
    description: 'Only an `open` one is answered. `delivered`: it ended with the delivery that made it.',
  }),
  deliveryId: Nullable(Id('delivery')),
  assetRef: Type.String({ description: 'Pinned to the version that is served.' }),
  surface: Surface,
  target: Type.String(),
  targetName: Type.String(),
  mimeType: Type.String(),
  sizeBytes: Type.Integer(),
  expiresAt: Timestamp,
  revokedAt: Nullable(Timestamp),
  fetchCount: Type.Integer(),
  lastFetchedAt: Nullable(Timestamp),
  lastFetchedFrom: Nullable(Type.String({ description: 'The address of whoever fetched it last.' })),
  createdAt: Timestamp,
  createdBy: Type.String(),
})
export type PullGrant = Static<typeof PullGrant>

export const PullGrantWithUrl = Type.Object({
  ...PullGrant.properties,
  url: Type.String({ description: 'Shown once. Whoever holds it can fetch the file until it expires.' }),
})
export type PullGrantWithUrl = Static<typeof PullGrantWithUrl>

export const PullGrantQuery = Strict({
  assetId: Type.Optional(Id('asset')),
  deliveryId: Type.Optional(Id('delivery')),
  state: Type.Optional(Type.Enum(['open'])),
  ...Page,
})
export type PullGrantQuery = Static<typeof PullGrantQuery>

export const PullGrantPage = Type.Object({ pullGrants: Type.Array(PullGrant), nextCursor: NextCursor })
export type PullGrantPage = Static<typeof PullGrantPage>
