import { type Static, Type } from 'typebox'
import type { Permission } from './access.ts'
import { Timestamp } from './words.ts'

/** Each type of event, and what its reader must be allowed to do. */
export const eventReaders = {
  'asset.created': 'assets:read',
  'asset.updated': 'assets:read',
  'asset.trashed': 'assets:read',
  'asset.restored': 'assets:read',
  'asset.replaced': 'assets:read',
  'asset.purged': 'assets:read',
  'asset.media': 'assets:read',
  'folder.created': 'assets:read',
  'folder.updated': 'assets:read',
  'folder.trashed': 'assets:read',
  'folder.restored': 'assets:read',
  'folder.purged': 'assets:read',
  'upload.created': 'assets:read',
  'upload.finalized': 'assets:read',
  'upload.rejected': 'assets:read',
  'upload.expired': 'assets:read',
  'upload.aborted': 'assets:read',
  'use.created': 'assets:read',
  'use.updated': 'assets:read',
  'connection.created': 'deliveries:read',
  'connection.updated': 'deliveries:read',
  'connection.checked': 'deliveries:read',
  'connection.removed': 'deliveries:read',
  'delivery.created': 'deliveries:read',
  'delivery.updated': 'deliveries:read',
  'delivery.done': 'deliveries:read',
  'delivery.failed': 'deliveries:read',
  'delivery.unknown': 'deliveries:read',
  'delivery.cancelled': 'deliveries:read',
  'delivery.removed': 'deliveries:read',
  'pull-grant.created': 'deliveries:read',
  'pull-grant.fetched': 'deliveries:read',
  'pull-grant.revoked': 'deliveries:read',
} as const satisfies Record<string, Permission>
export type EventType = keyof typeof eventReaders
export const eventTypes = Object.keys(eventReaders) as EventType[]

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
