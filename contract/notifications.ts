import { type Static, Type } from 'typebox'
import { Any, Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

/** What people are told of without asking. */
export const notificationKinds = [
  'delivery-failed',
  'sign-in-needed',
  'rights-ending',
  'quota-nearly-full',
  'new-files',
  'guest-files',
  'review-asked',
  'review-answered',
  'commented',
  'mentioned',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** By mail means in the app, too. */
export const notificationWays = ['off', 'app', 'daily', 'at-once'] as const
export type NotificationWay = (typeof notificationWays)[number]

export const Notification = Type.Object({
  notificationId: Id('notification'),
  kind: Type.Enum(notificationKinds),
  clientId: Type.String(),
  clientName: Type.String(),
  name: Nullable(Type.String({ description: 'What it is about: an asset, a connection, a person.' })),
  day: Nullable(Type.String({ description: 'With `rights-ending`: their last day, as `yyyy-mm-dd`.' })),
  count: Type.Integer({ description: 'How many, or how many times; with `quota-nearly-full`, percent.' }),
  path: Type.String({ description: 'Where in the web app it leads to.' }),
  createdAt: Timestamp,
  readAt: Nullable(Timestamp),
})
export type Notification = Static<typeof Notification>

export const NotificationQuery = Strict(Page)
export type NotificationQuery = Static<typeof NotificationQuery>

export const NotificationPage = Type.Object({
  notifications: Type.Array(Notification),
  unread: Type.Integer({ description: 'On all pages.' }),
  nextCursor: NextCursor,
})
export type NotificationPage = Static<typeof NotificationPage>

export const ReadNotifications = Strict({
  notificationIds: Type.Optional(
    Type.Array(Id('notification'), { maxItems: 200, description: 'Left out: all of them.' }),
  ),
})
export type ReadNotifications = Static<typeof ReadNotifications>

export const UnreadNotifications = Type.Object({ unread: Type.Integer() })
export type UnreadNotifications = Static<typeof UnreadNotifications>

const Way = Type.Enum(notificationWays)

export const NotificationSettings = Type.Object({
  mail: Type.Boolean({ description: 'Whether there is a mail server.' }),
  settings: Type.Array(Type.Object({ kind: Type.Enum(notificationKinds), way: Way }), {
    description: 'Of the kinds that the role is told of.',
  }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsChange = Strict(Any(notificationKinds, Way), { minProperties: 1 })
export type NotificationSettingsChange = { [Kind in NotificationKind]?: NotificationWay }
