import { type Static, Type } from 'typebox'
import { Asset, assetWords } from './assets.ts'
import { shareLinkStates } from './shares.ts'
import { NewUploadSession, PartsRequest, UploadProgress, uploadStatuses } from './uploads.ts'
import { Id, NextCursor, Nullable, Page, plainName, plainText, Strict, Timestamp } from './words.ts'

export const longestRequestDays = 90
export const usualRequestDays = 14
export const mostRequestedFiles = 1000
export const usualRequestedFiles = 100
export const mostRequestedBytes = 1000 ** 4
export const usualRequestedBytes = 10 * 1000 ** 3
/** What nobody has decided on is removed after so long. */
export const waitingDays = 30

export const NewUploadRequest = Strict({
  title: Type.String({ minLength: 1, maxLength: 200, pattern: plainName }),
  note: Type.Optional(Type.String({ maxLength: 2000, pattern: plainText })),
  folderId: Type.Optional(Nullable(Id('folder'))),
  ttlDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: longestRequestDays, default: usualRequestDays }),
  ),
  maxFiles: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostRequestedFiles, default: usualRequestedFiles }),
  ),
  maxBytes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostRequestedBytes, default: usualRequestedBytes }),
  ),
})
export type NewUploadRequest = Static<typeof NewUploadRequest>

export const UploadRequest = Type.Object({
  uploadRequestId: Id('request'),
  clientId: Id('client'),
  state: Type.Enum(shareLinkStates, {
    description: 'Only an `open` one takes files. `suspended`: whoever made it may no longer do so.',
  }),
  title: Type.String(),
  note: Type.String(),
  folderId: Nullable(Id('folder')),
  maxFiles: Type.Integer(),
  maxBytes: Type.Integer(),
  waitingFiles: Type.Integer(),
  acceptedFiles: Type.Integer(),
  expiresAt: Timestamp,
  revokedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  createdBy: Type.String(),
  createdByName: Nullable(Type.String()),
})
export type UploadRequest = Static<typeof UploadRequest>

export const UploadRequestWithUrl = Type.Object({
  ...UploadRequest.properties,
  url: Type.String({ description: 'Shown once. Whoever holds it can send files.' }),
})
export type UploadRequestWithUrl = Static<typeof UploadRequestWithUrl>

export const UploadRequestQuery = Strict(Page)
export type UploadRequestQuery = Static<typeof UploadRequestQuery>
export const UploadRequestPage = Type.Object({
  uploadRequests: Type.Array(UploadRequest),
  nextCursor: NextCursor,
})
export type UploadRequestPage = Static<typeof UploadRequestPage>

export const WaitingFile = Type.Object({
  uploadSessionId: Id('upload'),
  uploadRequestId: Id('request'),
  requestTitle: Type.String(),
  folderId: Nullable(Id('folder')),
  originalFilename: Type.String(),
  mimeType: Type.String(),
  sizeBytes: Type.Integer(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  durationSeconds: Nullable(Type.Number()),
  hasPreview: Type.Boolean(),
  scanned: Type.Boolean({
    description:
      'A malware scanner has looked through it. Where there is one, it looks again before a file is accepted.',
  }),
  sender: Type.String(),
  note: Type.String(),
  receivedAt: Timestamp,
  expiresAt: Timestamp,
})
export type WaitingFile = Static<typeof WaitingFile>

export const WaitingRoomQuery = Strict(Page)
export type WaitingRoomQuery = Static<typeof WaitingRoomQuery>
export const WaitingRoom = Type.Object({
  files: Type.Array(WaitingFile),
  waitingFiles: Type.Integer({ description: 'How many wait, on all pages together.' }),
  nextCursor: NextCursor,
})
export type WaitingRoom = Static<typeof WaitingRoom>

export const mostDecided = 100
const uploadSessionIds = Type.Array(Id('upload'), { minItems: 1, maxItems: mostDecided, uniqueItems: true })

export const Acceptance = Strict({
  uploadSessionIds,
  folderId: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: 'Without it, the folder they were asked for.' })),
  ),
  allowedSurfaces: assetWords.allowedSurfaces,
  tags: assetWords.tags,
})
export type Acceptance = Static<typeof Acceptance>

export const Declining = Strict({
  uploadSessionIds,
  note: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: plainText,
      description:
        'Why. Whoever sent the file reads it when they open the link again; the audit trail keeps it.',
    }),
  ),
})
export type Declining = Static<typeof Declining>

export const Decided = Type.Object({
  results: Type.Array(
    Type.Object({
      uploadSessionId: Type.String(),
      ok: Type.Boolean(),
      asset: Type.Optional(Asset),
      problem: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
    }),
  ),
})
export type Decided = Static<typeof Decided>

/** What somebody with the address is told: nothing of what is there. */
export const OpenedRequest = Type.Object({
  title: Type.String(),
  clientName: Type.String({ description: 'For whom files are asked.' }),
  note: Type.String(),
  expiresAt: Timestamp,
  filesLeft: Type.Integer(),
  bytesLeft: Type.Integer(),
  maxSizeBytes: Type.Record(Type.String(), Type.Integer()),
})
export type OpenedRequest = Static<typeof OpenedRequest>

const { originalFilename, mimeType, expectedSizeBytes, sha256 } = NewUploadSession.properties
export const NewGuestFile = Strict({
  originalFilename: Type.String({ ...originalFilename, pattern: plainName }),
  mimeType,
  expectedSizeBytes,
  sha256,
  sender: Type.String({ minLength: 1, maxLength: 200, pattern: plainName }),
  note: Type.Optional(Type.String({ maxLength: 2000, pattern: plainText })),
})
export type NewGuestFile = Static<typeof NewGuestFile>

export const GuestFile = Strict({ uploadToken: PartsRequest.properties.uploadToken })
export type GuestFile = Static<typeof GuestFile>
export const GuestFileReceived = Type.Object({ status: Type.Enum(['waiting']) })

export const GuestFileProgress = Type.Object({
  ...UploadProgress.properties,
  status: Type.Enum([...uploadStatuses, 'waiting', 'declined'], {
    description: '`waiting`: it was sent. Whoever sent it is not told whether it was accepted.',
  }),
  note: Nullable(Type.String({ description: 'What was said to whoever sent it when it was declined.' })),
})
export type GuestFileProgress = Static<typeof GuestFileProgress>
