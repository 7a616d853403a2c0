import { type Permission, type Role, rolePermissions } from '../../contract/access.ts'
import type { EventType, LibraryEvent } from '../../contract/events.ts'
import {
  type NotificationKind,
  type NotificationWay,
  notificationKinds,
} from '../../contract/notifications.ts'
import { parseRef } from '../assets/ref.ts'
import type { Trx } from '../db/database.ts'
import { concernedBy } from '../review/concerned.ts'

/** What a person is told of, and what of it counts as the same again. */
interface About {
  cause: string
  name: string | null
  /** Left out: everybody who may. */
  readers?: string[]
}

interface Kind {
  /** What its readers must be allowed to do. */
  reader: Permission
  /** How they are told unless they say otherwise: once a day. */
  usually?: NotificationWay
  /** The events that it is made of. Without any, `due.ts` makes it. */
  events: readonly EventType[]
  /** Undefined for an event that nobody is to be told of. */
  about(trx: Trx, event: LibraryEvent): Promise<About | undefined>
  /** What was read is not counted again. Of other kinds it tells how many there were on a day, or in a talk. */
  countsAnew?: true
  /** Where it leads to, behind the reader's own door; if it stands for many, to all of them. */
  place(subject: string, count: number): string
}

const dayOf = ({ at }: LibraryEvent) => at.slice(0, 10)

/** Large, with what is said of it. */
const inReview = (assetId: string) => `/assets?look=${assetId}&panel=review`

/** No event: `due.ts` looks for it. */
const madeWhenDue = { events: [], about: async () => undefined }

/** One row for each kind. */
export const kinds: Record<NotificationKind, Kind> = {
  'delivery-failed': {
    reader: 'deliveries:write',
    events: ['delivery.failed', 'delivery.unknown'],
    async about(trx, event) {
      if (event.type !== 'delivery.failed' && event.type !== 'delivery.unknown') return undefined
      return { cause: event.subject, name: await titleOf(trx, event.clientId, event.data.assetRef) }
    },
    place: () => '/connections',
  },
  'sign-in-needed': {
    reader: 'deliveries:write',
    events: ['connection.sign-in-needed'],
    async about(_, event) {
      if (event.type !== 'connection.sign-in-needed') return undefined
      return { cause: event.subject, name: event.data.name }
    },
    place: () => '/connections',
  },
  'new-files': {
    reader: 'clients:read',
    events: ['asset.created', 'asset.replaced'],
    async about(trx, event) {
      const name = await nameOfClientUser(trx, event.actor)
      return name === undefined ? undefined : { cause: `${event.actor} ${dayOf(event)}`, name }
    },
    place: () => '/assets',
  },
  'guest-files': {
    reader: 'shares:write',
    events: ['upload-request.received'],
    async about(_, event) {
      if (event.type !== 'upload-request.received') return undefined
      return { cause: `${event.subject} ${dayOf(event)}`, name: event.data.sender }
    },
    // They wait beside the links they came by.
    place: () => '/share-links',
  },
  'review-asked': {
    reader: 'reviews:write',
    events: ['review.requested'],
    async about(_, event) {
      if (event.type !== 'review.requested') return undefined
      return { cause: dayOf(event), name: event.data.asset.title }
    },
    countsAnew: true,
    place: (assetId, count) => (count > 1 ? '/review' : inReview(assetId)),
  },
  'review-answered': {
    reader: 'assets:write',
    events: ['review.approved', 'review.changes-requested'],
    async about(_, event) {
      if (event.type !== 'review.approved' && event.type !== 'review.changes-requested') return undefined
      // What is fine needs nobody's hand: many of those are one notification.
      const isFine = event.type === 'review.approved'
      const cause = isFine ? dayOf(event) : `${event.subject}@${event.data.version}`
      return { cause, name: event.data.asset.title }
    },
    countsAnew: true,
    place: (assetId, count) => (count > 1 ? '/review?show=all' : inReview(assetId)),
  },
  commented: {
    reader: 'reviews:write',
    events: ['comment.created'],
    async about(trx, event) {
      if (event.type !== 'comment.created') return undefined
      const { threadId, commentId, title, mentions } = event.data
      const concerned = await concernedBy(trx, event)
      const readers = concerned.filter((id) => !mentions.includes(id))
      return { cause: threadId ?? commentId, name: title, readers }
    },
    place: inReview,
  },
  mentioned: {
    reader: 'assets:read',
    usually: 'at-once',
    events: ['comment.created'],
    async about(_, event) {
      if (event.type !== 'comment.created') return undefined
      const { threadId, commentId, title, mentions } = event.data
      return { cause: threadId ?? commentId, name: title, readers: mentions }
    },
    place: inReview,
  },
  'rights-ending': { reader: 'assets:write', ...madeWhenDue, place: () => '/assets?rights=ending' },
  'quota-nearly-full': { reader: 'clients:read', ...madeWhenDue, place: () => '/assets' },
}

/** The kinds that an event is of. */
export const kindsOfEvent = (type: EventType): NotificationKind[] =>
  notificationKinds.filter((kind) => kinds[kind].events.includes(type))

export const usualWay = (kind: NotificationKind): NotificationWay => kinds[kind].usually ?? 'daily'

/** The kinds that people of a role are told of. */
export const kindsFor = (role: string): NotificationKind[] =>
  notificationKinds.filter((kind) => mayRead(role as Role, kinds[kind].reader))

/** The roles that may be told of a kind. */
export const rolesFor = (kind: NotificationKind) =>
  (Object.keys(rolePermissions) as Role[]).filter((role) => mayRead(role, kinds[kind].reader))

const mayRead = (role: Role, reader: Permission) =>
  (rolePermissions[role] as readonly Permission[]).includes(reader)

/** The page of the web app that it leads to: a client's own people have a door of their own. */
export const pathOf = (
  {
    kind,
    clientId,
    subject,
    count,
  }: { kind: NotificationKind; clientId: string; subject: string; count: number },
  role: string,
) => `${role === 'client' ? '/portal' : `/clients/${clientId}`}${kinds[kind].place(subject, count)}`

async function titleOf(trx: Trx, clientId: string, assetRef: string): Promise<string | null> {
  const asset = await trx
    .selectFrom('assets')
    .select('title')
    .where('client_id', '=', clientId)
    .where('id', '=', parseRef(assetRef)?.assetId ?? '')
    .executeTakeFirst()
  return asset?.title ?? null
}

const nameOfClientUser = async (trx: Trx, userId: string): Promise<string | undefined> =>
  (
    await trx
      .selectFrom('users')
      .select('name')
      .where('id', '=', userId)
      .where('role', '=', 'client')
      .executeTakeFirst()
  )?.name
