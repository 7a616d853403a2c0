import {
  NotificationPage,
  NotificationQuery,
  NotificationSettings,
  NotificationSettingsChange,
  ReadNotifications,
  UnreadNotifications,
} from '../../contract/notifications.ts'
import { callerOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import {
  changeNotificationSettings,
  listNotifications,
  markRead,
  notificationSettings,
} from './notifications.ts'

/** What people are told of, operators and clients alike. */
export async function notificationRoutes(app: App) {
  const { parts } = app
  const { db } = parts

  app.get(
    '/notifications',
    {
      schema: {
        summary: 'What you are told of',
        querystring: NotificationQuery,
        response: { 200: NotificationPage },
      },
      config: { permission: 'account' },
    },
    async (request) => listNotifications(db, callerOf(request), request.query),
  )
  app.post(
    '/notifications/read',
    {
      schema: {
        summary: 'Mark notifications as read',
        body: ReadNotifications,
        response: { 200: UnreadNotifications },
      },
      config: { permission: 'account' },
    },
    async (request) => ({ unread: await markRead(db, callerOf(request), request.body) }),
  )
  app.get(
    '/notifications/settings',
    {
      schema: { summary: 'How you are told of each kind', response: { 200: NotificationSettings } },
      config: { permission: 'account' },
    },
    async (request) => notificationSettings(parts, callerOf(request)),
  )
  app.patch(
    '/notifications/settings',
    {
      schema: {
        summary: 'Choose how you are told of a kind',
        body: NotificationSettingsChange,
        response: { 200: NotificationSettings },
      },
      config: { permission: 'account' },
    },
    async (request) => changeNotificationSettings(parts, callerOf(request), request.body),
  )
}
