import { type Static, Type } from 'typebox'
import { connectionKindNames } from './connection-kinds.ts'
import { RatioName } from './crops.ts'
import { FilmRange } from './film-range.ts'
import { HttpUrl } from './http-url.ts'
import { OutboundReason } from './outbound-reasons.ts'
import { AssetRef } from './references.ts'
import { SignedIn, SignInOffer } from './sign-in.ts'
import { Id, NextCursor, Nullable, Page, plainName, Strict, Surface, Timestamp } from './words.ts'

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: plainName })

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
  surfaces: Type.Array(Surface, { description: 'Where its files are shown: what a delivery to it may say.' }),
  target: Nullable(Type.String({ description: 'Whose rules a file must fit, to be named in resolve.' })),
  postText: Nullable(
    Type.Object(
      { min: Type.Integer(), max: Type.Integer() },
      {
        description:
          'Each delivery is a post, and its `text` has so many characters. Null: files only, and no text.',
      },
    ),
  ),
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
  progress: Type.Object({
    sentBytes: Type.Integer(),
    totalBytes: Nullable(Type.Integer()),
    convertedPercent: Type.Optional(
      Type.Integer({ description: 'Of a film that is converted before it is sent, while that goes on.' }),
    ),
  }),
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
  ratio: Type.Optional(RatioName),
  range: Type.Optional(FilmRange),
})
export type NewDelivery = Static<typeof NewDelivery>

export const Redelivery = Strict({
  assetRef: AssetRef,
  range: Type.Optional({
    ...FilmRange,
    description: 'The part of each film that is sent, if another than before.',
  }),
})
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
  range: Type.Optional(FilmRange),
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
