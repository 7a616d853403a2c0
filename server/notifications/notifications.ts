import { sql } from 'kysely'
import {
  type Notification,
  type NotificationKind,
  type NotificationPage,
  type NotificationQuery,
  type NotificationSettings,
  type NotificationSettingsChange,
  notificationKinds,
  type ReadNotifications,
} from '../../contract/notifications.ts'
import { changePlatform } from '../changes/platform.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Db, Reader } from '../db/database.ts'
import type { Caller, Parts } from '../library.ts'
import { kindsFor, pathOf, usualWay } from './kinds.ts'

/** What somebody was told of and may still know of: their role, and their clients as they are now. */
export const seenBy = (db: Reader, { id, role, allClients }: Pick<Caller, 'id' | 'role' | 'allClients'>) =>
  db
    .selectFrom('notifications')
    .innerJoin('clients', 'clients.id', 'notifications.client_id')
    .where('notifications.user_id', '=', id)
    .where('notifications.kind', 'in', [...kindsFor(role), '' as NotificationKind])
    .$if(!allClients, (query) =>
      query.where('notifications.client_id', 'in', (eb) =>
        eb.selectFrom('user_clients').select('client_id').where('user_id', '=', id),
      ),
    )

export async function listNotifications(
  db: Db,
  caller: Caller,
  { limit = 50, cursor }: NotificationQuery,
): Promise<NotificationPage> {
  let rows = seenBy(db, caller)
    .select(['notifications.id', 'kind', 'client_id', 'clients.name as client_name', 'cause', 'subject'])
    .select(['notifications.name', 'count', 'notifications.created_at', 'read_at'])
  if (cursor) {
    const [time, id] = readCursor(cursor, ['time', 'text'])
    rows = rows.where(
      sql<boolean>`(notifications.created_at, notifications.id) < (${time}::timestamptz, ${id}::text)`,
    )
  }
  const found = await rows
    .orderBy('notifications.created_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    notifications: page.map(
      (row): Notification => ({
        notificationId: row.id,
        kind: row.kind,
        clientId: row.client_id,
        clientName: row.client_name,
        name: row.name,
        day: row.kind === 'rights-ending' ? row.cause : null,
        count: row.count,
        path: pathOf({ ...row, clientId: row.client_id }, caller.role),
        createdAt: row.created_at.toISOString(),
        readAt: row.read_at?.toISOString() ?? null,
      }),
    ),
    unread: await countUnread(db, caller),
    nextCursor: last ? writeCursor([last.created_at.toISOString(), last.id]) : null,
  }
}

export async function countUnread(db: Reader, caller: Caller): Promise<number> {
  const { unread } = await seenBy(db, caller)
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return unread
}

export const markRead = (db: Db, caller: Caller, { notificationIds }: ReadNotifications): Promise<number> =>
  changePlatform(db, caller, async ({ trx }) => {
    await trx
      .updateTable('notifications')
      .set({ read_at: sql<Date>`now()` })
      .where('user_id', '=', caller.id)
      .where('read_at', 'is', null)
      .$if(notificationIds !== undefined, (query) => query.where('id', 'in', [...notificationIds!, '']))
      .execute()
    return countUnread(trx, caller)
  })

export async function notificationSettings(
  { db, mailer }: Pick<Parts, 'db' | 'mailer'>,
  { id, role }: Caller,
): Promise<NotificationSettings> {
  const rows = await db
    .selectFrom('notification_settings')
    .select(['kind', 'way'])
    .where('user_id', '=', id)
    .execute()
  const chosen = new Map(rows.map(({ kind, way }) => [kind, way]))
  return {
    mail: mailer.isSet,
    settings: kindsFor(role).map((kind) => ({ kind, way: chosen.get(kind) ?? usualWay(kind) })),
  }
}

export async function changeNotificationSettings(
  parts: Parts,
  caller: Caller,
  change: NotificationSettingsChange,
): Promise<NotificationSettings> {
  const rows = notificationKinds.flatMap((kind) => {
    const way = change[kind]
    return way ? [{ user_id: caller.id, kind, way }] : []
  })
  await changePlatform(parts.db, caller, async ({ trx, note }) => {
    await trx
      .insertInto('notification_settings')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'kind']).doUpdateSet({ way: (eb) => eb.ref('excluded.way') }),
      )
      .execute()
    const details = { changed: ['notifications'] }
    note({ action: 'user.updated', thing: caller.id, name: caller.name, details })
  })
  return notificationSettings(parts, caller)
}

export const forgetOldNotifications = (db: Db) =>
  db.deleteFrom('notifications').where('created_at', '<', sql<Date>`now() - interval '90 days'`).execute()
