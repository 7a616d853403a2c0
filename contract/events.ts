import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Permission } from './access.ts'
import { Asset, mediaStates, proxyStates } from './assets.ts'
import { Collection } from './collections.ts'
import { Connection, Delivery } from './deliveries.ts'
import { Folder } from './folders.ts'
import { uploadVerdicts } from './media-types.ts'
import { AssetRef, Use } from './references.ts'
import { Id, Nullable, Strict, Timestamp } from './words.ts'

/** The permission its readers need, its data, and where in that the title of the thing is. */
const event = <P extends TProperties>(
  reader: Permission,
  data: P,
  nameIn: (data: Static<TObject<P>>) => string | null = () => null,
) => ({ reader, data: Type.Object(data), nameIn })

const titleOfAsset = ({ asset }: { asset: Asset }) => asset.title
const nameOfFolder = ({ folder }: { folder: Folder }) => folder.name
const nameOfCollection = ({ collection }: { collection: Collection }) => collection.name
const titleOfUse = ({ use }: { use: Use }) => use.title
const ownName = ({ name }: { name: string }) => name
const ownTitle = ({ title }: { title: string }) => title
const nameOfFile = ({ originalFilename }: { originalFilename: string }) => originalFilename

const file = { originalFilename: Type.String() }
const connection = { kind: Connection.properties.kind, name: Type.String() }
const { status, remoteId, lastError } = Delivery.properties
const delivery = { assetRef: AssetRef, connectionId: Id('connection'), status }
const grant = { assetRef: AssetRef, target: Type.String() }

const share = { title: Type.String() }
const guestFile = { ...share, ...file, sender: Type.String() }

const review = () =>
  event('assets:read', { asset: Asset, version: Type.Integer(), note: Type.String() }, titleOfAsset)

const comment = () =>
  event(
    'assets:read',
    {
      commentId: Id('comment'),
      title: Type.String(),
      version: Type.Integer(),
      threadId: Nullable(Id('comment')),
      resolved: Type.Boolean(),
      mentions: Type.Array(Id('user'), { description: 'The users it speaks to.' }),
    },
    ownTitle,
  )

const collected = () =>
  event('assets:read', { name: Type.String(), assetIds: Type.Array(Id('asset')) }, ownName)

const keptGroup = () => event('assets:read', { title: Type.String(), count: Type.Integer() }, ownTitle)

const deliveryMoved = () => event('deliveries:read', { ...delivery, remoteId, lastError })

/** Every type of event. What `tell` writes is held to it by the compiler, and every event of the tests by its schema. */
export const events = {
  'asset.created': event('assets:read', { asset: Asset }, titleOfAsset),
  'asset.updated': event(
    'assets:read',
    { asset: Asset, changed: Type.Array(Type.String(), { description: 'Which members were set.' }) },
    titleOfAsset,
  ),
  'asset.trashed': event('assets:read', { asset: Asset }, titleOfAsset),
  'asset.restored': event('assets:read', { asset: Asset }, titleOfAsset),
  'asset.replaced': event(
    'assets:read',
    { asset: Asset, restoredVersion: Type.Optional(Type.Integer()) },
    titleOfAsset,
  ),
  'asset.version-deleted': event('assets:read', { asset: Asset, version: Type.Integer() }, titleOfAsset),
  'asset.merged': event('assets:read', { title: Type.String(), into: Id('asset') }, ownTitle),
  'asset.purged': event('assets:read', { title: Type.String() }, ownTitle),
  'asset.media': event('assets:read', {
    version: Type.Integer(),
    state: Type.Enum(mediaStates),
    placeholder: Type.Optional(Nullable(Type.String())),
    problem: Type.Optional(Nullable(Type.String())),
    sha256: Type.Optional(Nullable(Type.String())),
    focalPoint: Type.Optional(Asset.properties.focalPoint),
    proxy: Type.Optional(Type.Enum(proxyStates)),
    hasText: Type.Optional(Type.Boolean({ description: 'Words were found in the picture.' })),
  }),
  'review.requested': review(),
  'review.approved': review(),
  'review.changes-requested': review(),
  'review.withdrawn': review(),
  'comment.created': comment(),
  'comment.updated': comment(),
  'comment.deleted': comment(),
  'folder.created': event('assets:read', { folder: Folder }, nameOfFolder),
  'folder.updated': event('assets:read', { folder: Folder }, nameOfFolder),
  'folder.trashed': event(
    'assets:read',
    { name: Type.String(), folders: Type.Integer(), assets: Type.Integer() },
    ownName,
  ),
  'folder.restored': event('assets:read', { folder: Folder, assets: Type.Integer() }, nameOfFolder),
  'folder.purged': event('assets:read', { name: Type.String(), folders: Type.Integer() }, ownName),
  'collection.created': event('assets:read', { collection: Collection }, nameOfCollection),
  'collection.updated': event('assets:read', { collection: Collection }, nameOfCollection),
  'collection.deleted': event('assets:read', { name: Type.String() }, ownName),
  'collection.assets-added': collected(),
  'collection.assets-moved': collected(),
  'collection.assets-removed': collected(),
  'duplicates.kept': keptGroup(),
  'duplicates.reopened': keptGroup(),
  'upload.created': event('assets:read', { ...file, expectedSizeBytes: Type.Integer() }, nameOfFile),
  'upload.finalized': event('assets:read', { ...file, assetId: Id('asset') }, nameOfFile),
  'upload.rejected': event('assets:read', { ...file, code: Type.Enum(uploadVerdicts) }, nameOfFile),
  'upload.expired': event('assets:read', file, nameOfFile),
  'upload.aborted': event('assets:read', file, nameOfFile),
  'use.created': event('assets:read', { use: Use }, titleOfUse),
  'use.updated': event('assets:read', { use: Use }, titleOfUse),
  'connection.created': event('deliveries:read', connection, ownName),
  'connection.updated': event('deliveries:read', connection, ownName),
  'connection.checked': event(
    'deliveries:read',
    {
      ...connection,
      status: Connection.properties.status,
      lastError: Connection.properties.lastError,
    },
    ownName,
  ),
  'connection.sign-in-needed': event(
    'deliveries:read',
    { ...connection, lastError: Connection.properties.lastError },
    ownName,
  ),
  'connection.signed-in': event('deliveries:read', connection, ownName),
  'connection.removed': event('deliveries:read', connection, ownName),
  'delivery.created': event('deliveries:read', delivery),
  'delivery.updated': deliveryMoved(),
  'delivery.done': deliveryMoved(),
  'delivery.failed': deliveryMoved(),
  'delivery.unknown': deliveryMoved(),
  'delivery.cancelled': deliveryMoved(),
  'delivery.removed': deliveryMoved(),
  'pull-grant.created': event('deliveries:read', { ...grant, expiresAt: Timestamp }),
  'pull-grant.fetched': event('deliveries:read', { ...grant, from: Type.String() }),
  'pull-grant.revoked': event('deliveries:read', grant),
  'share-link.created': event('shares:write', { ...share, expiresAt: Timestamp }, ownTitle),
  'share-link.opened': event(
    'shares:write',
    { ...share, network: Type.String(), browser: Type.String() },
    ownTitle,
  ),
  'share-link.revoked': event('shares:write', share, ownTitle),
  'upload-request.created': event('shares:write', { ...share, expiresAt: Timestamp }, ownTitle),
  'upload-request.received': event('shares:write', guestFile, nameOfFile),
  'upload-request.refused': event(
    'shares:write',
    { ...guestFile, code: Type.Enum(uploadVerdicts) },
    nameOfFile,
  ),
  'upload-request.accepted': event('shares:write', { ...guestFile, assetId: Id('asset') }, nameOfFile),
  'upload-request.declined': event('shares:write', { ...guestFile, note: Type.String() }, nameOfFile),
  'upload-request.revoked': event('shares:write', share, ownTitle),
} as const

export type EventType = keyof typeof events
export const eventTypes = Object.keys(events) as EventType[]
export type EventData<T extends EventType = EventType> = Static<(typeof events)[T]['data']>

const frame = {
  eventId: Type.Integer({ description: 'Counts up by one per client, in the order of the changes.' }),
  clientId: Type.String(),
  subject: Type.String({ description: 'The id of what changed.' }),
  actor: Type.String({ description: 'The id of who changed it, or `system`.' }),
  at: Timestamp,
}

export const EventStreamQuery = Strict({
  lastEventId: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Begins after this event: for those who cannot send the header, which goes before.',
    }),
  ),
})

export type EventOf<T extends EventType> = Static<TObject<typeof frame>> & { type: T; data: EventData<T> }
export type LibraryEvent = { [T in EventType]: EventOf<T> }[EventType]

export const eventSchema = (type: EventType) =>
  Type.Object({ ...frame, type: Type.Literal(type), data: events[type].data })

const named: { [T in EventType]: { nameIn(data: EventData<T>): string | null } } = events

/** The title of the thing the event is about; null for what has none. */
export const nameInEvent = <T extends EventType>(type: T, data: EventData<T>): string | null =>
  named[type].nameIn(data)
