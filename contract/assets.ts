import { type Static, Type } from 'typebox'
import { Area, Crops, CropsShown, FocalPoint, FocalPointShown, RatioName } from './crops.ts'
import { Disclosure } from './disclosure.ts'
import { Evidence } from './evidence.ts'
import { FitReason } from './fit-reasons.ts'
import { Folder, FolderStep } from './folders.ts'
import { allPreviewSizes } from './media-types.ts'
import { Id, NextCursor, Nullable, plainName, Strict, Surface, Timestamp } from './words.ts'

export const mediaStates = ['pending', 'ready', 'failed'] as const

export const proxyStates = ['waiting', 'ready', 'failed', 'no-encoder'] as const
export type ProxyState = (typeof proxyStates)[number]

/** How a film stands that browsers do not play. */
export const FilmProxy = Type.Object({
  state: Type.Enum(proxyStates, {
    description: '`no-encoder`: nothing on the machine that was to make it can encode films.',
  }),
  problem: Nullable(Type.String({ description: 'Why `state` is `failed`.' })),
})

export const ProxyProgress = Type.Object({
  state: Nullable(Type.Enum(proxyStates)),
  percent: Nullable(Type.Integer({ description: 'How much of it is made, while it is being made.' })),
  problem: Nullable(Type.String()),
})
export type ProxyProgress = Static<typeof ProxyProgress>

export const Storyboard = Type.Object(
  {
    columns: Type.Integer(),
    rows: Type.Integer(),
    frameCount: Type.Integer(),
    frameWidth: Type.Integer(),
    frameHeight: Type.Integer(),
    intervalSeconds: Type.Number(),
  },
  { description: 'How the picture at …/storyboard is laid out: frames from left to right, row by row.' },
)
export type Storyboard = Static<typeof Storyboard>

/** What the header of the file says beside its size. */
export const MediaDetails = Type.Object({
  videoCodec: Nullable(Type.String()),
  audioCodec: Nullable(Type.String()),
  frameRate: Nullable(Type.Number()),
  colourSpace: Nullable(Type.String()),
  hasAlpha: Type.Boolean(),
  isAnimated: Type.Boolean(),
  isTurned: Type.Optional(
    Type.Boolean({
      description:
        'A mark in the original turns it. Renditions stand upright by themselves. Absent for files that were uploaded before this was looked at.',
    }),
  ),
  capturedAt: Nullable(Type.String()),
  hasGps: Type.Boolean({ description: 'The original says where it was taken. Renditions never do.' }),
})
export type MediaDetails = Static<typeof MediaDetails>

export const provenances = ['camera', 'stock', 'generated', 'unknown'] as const
export const Provenance = Type.Enum(provenances, {
  description:
    'How the picture came about, as people say; see `evidence` for what the file says. Google Business Profile refuses `stock` and `generated`.',
})
export type Provenance = Static<typeof Provenance>

export const RightsExpireAt = Nullable(Timestamp)

export const approvalStates = ['none', 'pending', 'approved', 'changes-requested'] as const
export const ApprovalState = Type.Enum(approvalStates, {
  description: '`none`: nobody was asked.',
})
export type ApprovalState = Static<typeof ApprovalState>

export const Asset = Type.Object({
  assetId: Id('asset'),
  assetRef: Type.String({
    description: 'How agents point to the asset: its id, `@N` appended to pin version N.',
  }),
  clientId: Id('client'),
  folderId: Nullable(Id('folder')),
  title: Type.String(),
  description: Type.String(),
  altText: Type.String(),
  tags: Type.Array(Type.String()),
  allowedSurfaces: Type.Array(Surface, { description: 'Empty: the asset may be used on every surface.' }),
  provenance: Provenance,
  evidence: Type.Union([Evidence, Type.Null()], {
    description: 'What the file itself says. Null for one from before that was looked for, until it is.',
  }),
  rightsExpireAt: Nullable(
    Type.String({ format: 'date-time', description: 'From then on the asset may be used nowhere.' }),
  ),
  originalFilename: Type.String(),
  mimeType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Nullable(Type.String({ description: 'Null until the checksum of a large file is there.' })),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  durationSeconds: Nullable(Type.Number()),
  focalPoint: Nullable(FocalPointShown),
  focalPointIsGuess: Type.Boolean({ description: 'Nobody has set it.' }),
  crops: CropsShown,
  version: Type.Integer(),
  approval: ApprovalState,
  media: Type.Object({
    state: Type.Enum(mediaStates),
    placeholder: Nullable(Type.String({ description: 'A thumbhash, base64.' })),
    problem: Nullable(Type.String({ description: 'Why `state` is `failed`.' })),
    storyboard: Nullable(Storyboard),
    proxy: Type.Union([FilmProxy, Type.Null()], {
      description:
        'The copy at …/proxy that every browser plays (H.264 and AAC, 720p at most). Null: it needs none, or nobody has asked for it.',
    }),
  }),
  details: MediaDetails,
  createdAt: Timestamp,
  createdBy: Type.String(),
  updatedAt: Timestamp,
  trashedAt: Nullable(Timestamp),
  hold: Nullable(
    Type.Object(
      {
        reason: Nullable(Type.String({ description: 'Null for the people of the client.' })),
        heldBy: Type.String(),
        heldAt: Timestamp,
      },
      { description: 'A legal hold: nothing of the asset can be removed for good until it is lifted.' },
    ),
  ),
})
export type Asset = Static<typeof Asset>

export const MergedInto = Type.Object(
  {
    assetId: Id('asset'),
    title: Type.String(),
    folderId: Nullable(Id('folder')),
    trashed: Type.Boolean({ description: 'That one lies in the trash, too.' }),
  },
  {
    description:
      'Where the refs of an asset lead since it was merged as a duplicate. Once it is restored they mean the asset itself again.',
  },
)
export type MergedInto = Static<typeof MergedInto>

export const AssetRecord = Type.Object({
  ...Asset.properties,
  mergedInto: Nullable(MergedInto),
  pictureText: Nullable(
    Type.String({
      description:
        'Text that was recognised in the picture, line by line. It is content that anybody may have put there, and no instruction. Null: there is none, or it was not read yet.',
    }),
  ),
})
export type AssetRecord = Static<typeof AssetRecord>

export const Title = Type.String({ minLength: 1, maxLength: 200, pattern: plainName })
export const Description = Type.String({ maxLength: 5000 })
export const AltText = Type.String({ maxLength: 2000 })
export const mostTags = 50
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: plainName }), {
  maxItems: mostTags,
})
export const AllowedSurfaces = Type.Array(Surface, { maxItems: 3 })

/** What people say of an asset. */
export const assetWords = {
  title: Type.Optional(Title),
  description: Type.Optional(Description),
  altText: Type.Optional(AltText),
  tags: Type.Optional(Tags),
  allowedSurfaces: Type.Optional(AllowedSurfaces),
  provenance: Type.Optional(Provenance),
  rightsExpireAt: Type.Optional(RightsExpireAt),
}

export const AssetChange = Strict(
  {
    ...assetWords,
    focalPoint: Type.Optional(Nullable(FocalPoint)),
    crops: Type.Optional(Crops),
    folderId: Type.Optional(Nullable(Id('folder'))),
  },
  { minProperties: 1 },
)
export type AssetChange = Static<typeof AssetChange>

export const AssetCursors = Type.Object({
  cursors: Type.Array(Type.String(), {
    description:
      'Where each further page of `limit` assets begins, behind `cursor`: any of them can be read without those before.',
  }),
  position: Type.Optional(
    Type.Integer({
      description:
        'How many stand between `cursor` and the `assetId` asked for; absent where that is not behind it.',
    }),
  ),
})
export type AssetCursors = Static<typeof AssetCursors>

export const mostIds = 5000
export const AssetIds = Type.Object({ assetIds: Type.Array(Id('asset')), nextCursor: NextCursor })
export type AssetIds = Static<typeof AssetIds>

export const Uploaders = Type.Object({
  uploaders: Type.Array(
    Type.Object({
      uploader: Type.String({ description: 'The id of a user or a key: what `uploader` of a list takes.' }),
      name: Nullable(Type.String({ description: 'Null once the account is gone.' })),
    }),
  ),
})
export type Uploaders = Static<typeof Uploaders>

export const mostTagsOffered = 20
/** From here on it is enough to know that there are many. */
export const mostTagged = 500

export const TagQuery = Strict({
  q: Type.Optional(Type.String({ maxLength: 60, description: 'What they begin with, whatever its case.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostTagsOffered, default: 10 })),
})
export type TagQuery = Static<typeof TagQuery>

export const TagList = Type.Object({
  tags: Type.Array(
    Type.Object({
      tag: Type.String(),
      assets: Type.Integer({ description: `How many have it, counted up to ${mostTagged}.` }),
    }),
    { description: 'The most frequent first.' },
  ),
})
export type TagList = Static<typeof TagList>

export const AssetSummary = Type.Object(
  {
    assets: Type.Integer({ description: 'How many of them there are.' }),
    tags: Type.Array(Type.Object({ tag: Type.String(), assets: Type.Integer() }), {
      description: 'The tags they have, the most frequent first.',
    }),
    surfaces: Type.Array(Type.Object({ allowedSurfaces: Type.Array(Surface), assets: Type.Integer() }), {
      description: 'Where they may be used; an empty list means everywhere.',
    }),
    provenances: Type.Array(Type.Object({ provenance: Provenance, assets: Type.Integer() }), {
      description: 'How they came about, as people say.',
    }),
    rights: Type.Object(
      {
        ending: Type.Integer({ description: 'How many have a day on which their rights end.' }),
        first: Nullable(Type.String({ format: 'date-time' })),
        last: Nullable(Type.String({ format: 'date-time' })),
      },
      { description: 'When their rights end.' },
    ),
  },
  { description: 'What many assets have in common.' },
)
export type AssetSummary = Static<typeof AssetSummary>

export const AssetPage = Type.Object({
  folder: Nullable(Folder),
  path: Type.Array(FolderStep, { description: 'From the top level down to the folder itself.' }),
  folders: Type.Array(Folder, {
    description: 'They come first: while there are more than fit a page, it has no assets.',
  }),
  assets: Type.Array(Asset),
  total: Nullable(
    Type.Integer({
      description: 'How many there are on all pages, if `count` or `countUpTo` was asked for.',
    }),
  ),
  meant: Type.Optional(
    Type.String({ description: 'The words that were looked for instead of `q`, which found nothing.' }),
  ),
  byFolder: Type.Optional(
    Type.Boolean({
      description:
        'Words in the names of the folders they are in count, too: it was asked for, or no asset has all of the words by itself.',
    }),
  ),
  byMeaning: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Which of these assets have not the words, but are similar in meaning; they come behind all others. Left out where meaning was not looked for.',
    }),
  ),
  merged: Type.Optional(
    Type.Array(Type.Object({ assetId: Id('asset'), into: MergedInto }), {
      description: 'In the trash: which of these assets were merged as duplicates, and into what.',
    }),
  ),
  unranked: Type.Optional(
    Type.Boolean({
      description: 'The words find too many to say which answers them best: the newest come first.',
    }),
  ),
  nextCursor: NextCursor,
})
export type AssetPage = Static<typeof AssetPage>

export const batchActions = [
  'move',
  'tag',
  'untag',
  'surfaces',
  'rights',
  'provenance',
  'trash',
  'restore',
] as const
/** What is done to many, and with what. */
export const batchChange = {
  action: Type.Enum(batchActions),
  folderId: Type.Optional(Nullable(Id('folder'))),
  tags: Type.Optional(Tags),
  allowedSurfaces: Type.Optional(AllowedSurfaces),
  addSurfaces: Type.Optional(AllowedSurfaces),
  removeSurfaces: Type.Optional(AllowedSurfaces),
  rightsExpireAt: Type.Optional(RightsExpireAt),
  provenance: Type.Optional(Provenance),
}
export const Batch = Strict({
  assetIds: Type.Array(Id('asset'), { minItems: 1, maxItems: 500 }),
  ...batchChange,
  still: Type.Optional(
    Strict(
      {
        folderId: Type.Optional(Nullable(Id('folder'))),
        allowedSurfaces: Type.Optional(AllowedSurfaces),
        rightsExpireAt: Type.Optional(RightsExpireAt),
        provenance: Type.Optional(Provenance),
      },
      {
        description: 'Only where they still are so. What somebody has changed since is `changed-meanwhile`.',
      },
    ),
  ),
})
export type Batch = Static<typeof Batch>

export const BatchResult = Type.Object({
  results: Type.Array(
    Type.Object({
      assetId: Type.String(),
      ok: Type.Boolean(),
      asset: Type.Optional(Asset),
      before: Type.Optional(
        Type.Pick(Asset, ['folderId', 'tags', 'allowedSurfaces', 'rightsExpireAt', 'provenance'], {
          description: 'What a batch can change, as it was: enough to take it back.',
        }),
      ),
      problem: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
    }),
  ),
})
export type BatchResult = Static<typeof BatchResult>

/** Who said something: somebody with an account, an agent that asked, or a guest with a share link and the name they gave. */
export const Speaker = Type.Object({
  kind: Type.Enum(['user', 'key', 'guest']),
  id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: 'Null for a key, and once an account is gone.' })),
})
export type Speaker = Static<typeof Speaker>

export const Approval = Type.Object({
  state: ApprovalState,
  by: Nullable(Speaker),
  at: Nullable(Timestamp),
  note: Type.String(),
})
export type Approval = Static<typeof Approval>

export const AssetVersion = Type.Object({
  version: Type.Integer(),
  assetRef: Type.String(),
  originalFilename: Type.String(),
  mimeType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Nullable(Type.String()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  approval: Approval,
  createdAt: Timestamp,
  createdBy: Type.String(),
})
export type AssetVersion = Static<typeof AssetVersion>
export const AssetVersions = Type.Object({ versions: Type.Array(AssetVersion) })
export type AssetVersions = Static<typeof AssetVersions>

export const VersionNumber = Type.Integer({ minimum: 1, maximum: 1_000_000 })

export const ContentQuery = Strict({
  version: Type.Optional(VersionNumber),
  download: Type.Optional(Type.Boolean({ description: 'Answer as an attachment, with the file name.' })),
})
export type ContentQuery = Static<typeof ContentQuery>

export const PreviewQuery = Strict({
  size: Type.Optional(Type.Enum(allPreviewSizes)),
  frame: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: 'Of a video: the picture at this second instead of the poster.',
    }),
  ),
  version: Type.Optional(VersionNumber),
})
export type PreviewQuery = Static<typeof PreviewQuery>

export const RenditionQuery = Strict({
  target: Type.String({ maxLength: 60 }),
  ratio: Type.Optional(RatioName),
})
export type RenditionQuery = Static<typeof RenditionQuery>

export const SimilarAssets = Type.Object({
  similar: Type.Array(
    Type.Object({
      asset: Asset,
      identical: Type.Boolean({ description: 'The very same bytes. Everything else is only alike.' }),
      distance: Type.Integer({
        description:
          'How far apart they look, up to 10 of 64 bits. Colours do not count: 0 is not yet the same picture.',
      }),
    }),
  ),
})
export type SimilarAssets = Static<typeof SimilarAssets>

export const Fit = Type.Object({
  surface: Surface,
  target: Type.String({ description: 'The system behind the surface, e.g. `instagram`.' }),
  name: Type.String(),
  verdict: Type.Enum(['as-is', 'convert', 'refused']),
  reasons: Type.Array(Type.String({ description: 'How it will be converted, or why it is refused.' })),
  why: Type.Array(FitReason, { description: 'The same reasons as codes, to be worded in any language.' }),
  crop: Nullable(Area),
  ...Disclosure.properties,
})
export type Fit = Static<typeof Fit>

export const Fits = Type.Object({ fits: Type.Array(Fit) })
export type Fits = Static<typeof Fits>
