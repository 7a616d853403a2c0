import { type Static, Type } from 'typebox'
import { ApprovalState, VersionNumber } from './assets.ts'
import { CommentText, Pin, PinShown, Seen, TimeMs } from './review.ts'
import { Id, NextCursor, Nullable, Page, plainName, plainText, Strict, Timestamp } from './words.ts'

export const mostShared = 500
export const longestShareDays = 365
export const usualShareDays = 30

/** What people may do with what is shared, and in which form they get it. */
const Allows = Type.Enum(['view', 'download'])
const Files = Type.Enum(['original', 'rendition'], {
  description:
    '`rendition`: a JPEG or PNG of at most 2560 pixels, and the playable copy of a film; nothing that a camera wrote into it.',
})

export const NewShareLink = Strict({
  title: Type.String({ minLength: 1, maxLength: 200, pattern: plainName }),
  note: Type.Optional(Type.String({ maxLength: 2000, pattern: plainText })),
  assetIds: Type.Optional(Type.Array(Id('asset'), { minItems: 1, maxItems: mostShared, uniqueItems: true })),
  folderId: Type.Optional(Id('folder')),
  collectionId: Type.Optional(Id('collection')),
  ttlDays: Type.Optional(Type.Integer({ minimum: 1, maximum: longestShareDays, default: usualShareDays })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, format: 'password' })),
  allows: Type.Optional(Allows),
  review: Type.Optional(
    Type.Boolean({
      description: 'Whoever opens it may approve, ask for changes and comment, under a name they give.',
    }),
  ),
  files: Type.Optional(Files),
  watermark: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      // What can be drawn on every machine alike.
      pattern: '^ *[\\x21-\\x7e\\xa1-\\xff][\\x20-\\x7e\\xa1-\\xff]*$',
      description:
        'Drawn over every picture, and over films where the server can encode them. Needs `files: rendition`.',
    }),
  ),
})
export type NewShareLink = Static<typeof NewShareLink>

export const shareLinkStates = ['open', 'expired', 'revoked', 'suspended'] as const
export type ShareLinkState = (typeof shareLinkStates)[number]

export const ShareLink = Type.Object({
  shareLinkId: Id('share'),
  clientId: Id('client'),
  state: Type.Enum(shareLinkStates, {
    description: 'Only an `open` one is answered. `suspended`: whoever made it may no longer share.',
  }),
  title: Type.String(),
  note: Type.String(),
  folderId: Nullable(Id('folder')),
  collectionId: Nullable(Id('collection')),
  assetCount: Nullable(
    Type.Integer({ description: 'Of a selection; what is in a folder or a collection changes.' }),
  ),
  hasPassword: Type.Boolean(),
  allows: Allows,
  files: Files,
  review: Type.Boolean(),
  watermark: Nullable(Type.String()),
  expiresAt: Timestamp,
  revokedAt: Nullable(Timestamp),
  openCount: Type.Integer(),
  lastOpenedAt: Nullable(Timestamp),
  visits: Type.Array(Type.Object({ at: Timestamp, network: Type.String(), browser: Type.String() }), {
    description: 'The latest, newest first.',
  }),
  createdAt: Timestamp,
  createdBy: Type.String(),
  createdByName: Nullable(Type.String()),
})
export type ShareLink = Static<typeof ShareLink>

export const ShareLinkWithUrl = Type.Object({
  ...ShareLink.properties,
  url: Type.String({ description: 'Shown once. Whoever holds it sees what is shared.' }),
})
export type ShareLinkWithUrl = Static<typeof ShareLinkWithUrl>

export const ShareLinkQuery = Strict(Page)
export type ShareLinkQuery = Static<typeof ShareLinkQuery>
export const ShareLinkPage = Type.Object({ shareLinks: Type.Array(ShareLink), nextCursor: NextCursor })
export type ShareLinkPage = Static<typeof ShareLinkPage>

export const OpenShare = Strict({ password: Type.Optional(Type.String({ maxLength: 1000 })) })
export type OpenShare = Static<typeof OpenShare>

/** What somebody with the address is told. */
export const Share = Type.Object({
  title: Type.String(),
  note: Type.String(),
  allows: Allows,
  files: Files,
  review: Type.Boolean(),
  expiresAt: Timestamp,
  assetCount: Type.Integer(),
  asArchive: Type.Boolean({ description: 'All of it can be downloaded as one archive.' }),
})
export type Share = Static<typeof Share>

export const SharedAsset = Type.Object({
  assetId: Id('asset'),
  title: Type.String(),
  altText: Type.String(),
  mimeType: Type.String(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  durationSeconds: Nullable(Type.Number()),
  placeholder: Nullable(Type.String()),
  hasFilm: Type.Boolean({
    description: 'It is a film that can be played here. Under a watermark, once its marked copy is made.',
  }),
  version: Type.Integer(),
  approval: Nullable(ApprovalState),
})
export type SharedAsset = Static<typeof SharedAsset>

export const SharedAssetQuery = Strict({
  unanswered: Type.Optional(
    Type.Boolean({
      description: 'Only what nobody has said yes or no to; nothing where the link is not for review.',
    }),
  ),
  ...Page,
})
export type SharedAssetQuery = Static<typeof SharedAssetQuery>
export const SharedAssetPage = Type.Object({ assets: Type.Array(SharedAsset), nextCursor: NextCursor })
export type SharedAssetPage = Static<typeof SharedAssetPage>

const GuestName = Type.String({ minLength: 1, maxLength: 120, pattern: plainName })

export const GuestDecision = Strict({
  name: GuestName,
  version: VersionNumber,
  decision: Type.Enum(['approved', 'changes-requested']),
  seen: Seen,
  note: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type GuestDecision = Static<typeof GuestDecision>

export const NewGuestComment = Strict({
  name: GuestName,
  version: VersionNumber,
  text: CommentText,
  pin: Type.Optional(Pin),
  timeMs: Type.Optional(TimeMs),
  threadId: Type.Optional(Type.String({ maxLength: 100 })),
})
export type NewGuestComment = Static<typeof NewGuestComment>

export const GuestComment = Type.Object({
  commentId: Id('comment'),
  version: Type.Integer({ description: 'The one it was said of.' }),
  threadId: Nullable(Type.String()),
  text: Type.String(),
  pin: Nullable(PinShown),
  timeMs: Nullable(Type.Integer()),
  author: Type.Object({ kind: Type.Enum(['user', 'guest']), name: Nullable(Type.String()) }),
  createdAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
})
export type GuestComment = Static<typeof GuestComment>

/** How a shared asset stands, and what was said of it through this link. */
export const GuestReview = Type.Object({
  version: Type.Integer(),
  state: ApprovalState,
  by: Nullable(Type.String({ description: 'The guest who decided, if one of this link did.' })),
  note: Type.String(),
  comments: Type.Array(GuestComment, { description: 'The oldest first; at most 200.' }),
})
export type GuestReview = Static<typeof GuestReview>
