import { type Static, Type } from 'typebox'
import { Timestamp } from './words.ts'

export const eventTypes = [
  'asset.created',
  'asset.updated',
  'asset.trashed',
  'asset.restored',
  'asset.replaced',
  'asset.purged',
  'asset.media',
  'folder.created',
  'folder.updated',
  'folder.trashed',
  'folder.restored',
  'folder.purged',
  'upload.created',
  'upload.finalized',
  'upload.rejected',
  'upload.expired',
  'upload.aborted',
  'use.created',
  'use.updated',
  'connection.created',
  'connection.updated',
  'connection.checked',
  'connection.removed',
  'delivery.created',
  'delivery.updated',
  'delivery.done',
  'delivery.failed',
  'delivery.unknown',
  'delivery.cancelled',
  'delivery.removed',
  'pull-grant.created',
  'pull-grant.fetched',
  'pull-grant.revoked',
] as const
export type EventType = (typeof eventTypes)[number]

export const LibraryEvent = Type.Object({
  eventId: Type.Integer({ description: 'Counts up by one per client, in the order of the changes.' }),
  type: Type.Enum(eventTypes),
  clientId: Type.String(),
  subject: Type.String({ description: 'The id of what changed.' }),
  actor: Type.String({ description: 'The id of who changed it, or `system`.' }),
  data: Type.Record(Type.String(), Type.Unknown()),
  at: Timestamp,
})
export type LibraryEvent = Static<typeof LibraryEvent>
