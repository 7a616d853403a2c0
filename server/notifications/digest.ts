import { sql } from 'kysely'
import { changePlatform } from '../changes/platform.ts'
import type { Trx } from '../db/database.ts'
import { type Parts, system } from '../library.ts'
import { queueMail } from '../mail/queue.ts'
import { noticeRightsEnding } from './due.ts'
import { digestLetter } from './letters.ts'
import { seenBy } from './notifications.ts'

/** A mail holds no more; the rest is in the app. */
const most = 50

/** Every morning: what ends soon, and one mail to each person with what they have not seen. */
export async function sendDigests(parts: Parts): Promise<void> {
  await noticeRightsEnding(parts)
  if (!parts.mailer.isSet) return
  const people = await parts.db
    .selectFrom('notifications')
    .select('user_id')
    .distinct()
    .where('read_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where('created_at', '>', recent)
    .execute()
  for (const { user_id } of people)
    await changePlatform(parts.db, system, ({ trx }) => sendDigest(parts, trx, user_id))
}

/** A mail server that was set up today does not send what happened last month. */
const recent = sql<Date>`now() - interval '3 days'`

/** Queued in the transaction that says so: asked for twice, it is sent once. */
async function sendDigest(parts: Parts, trx: Trx, userId: string): Promise<void> {
  const person = await trx
    .selectFrom('users')
    .select(['id', 'email', 'name as reader', 'role', 'language', 'all_clients as allClients'])
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst()
  if (!person) return
  const told = await seenBy(trx, person)
    .leftJoin('notification_settings as setting', (join) =>
      join
        .onRef('setting.user_id', '=', 'notifications.user_id')
        .onRef('setting.kind', '=', 'notifications.kind'),
    )
    .select(['notifications.id', 'notifications.kind', 'notifications.client_id as clientId'])
    .select(['clients.name as clientName', 'cause', 'subject', 'notifications.name', 'count'])
    .where('read_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where('notifications.created_at', '>', recent)
    // However a kind is usually told of, it is by mail.
    .where(sql<boolean>`coalesce(setting.way, 'daily') in ('daily', 'at-once')`)
    .orderBy('clients.name')
    .orderBy('notifications.created_at')
    .limit(most)
    .execute()
  if (told.length === 0) return
  const ids = told.map(({ id }) => id)
  await trx.updateTable('notifications').set({ mailed_at: sql<Date>`now()` }).where('id', 'in', ids).execute()
  await queueMail(parts, trx, digestLetter(parts.config.publicUrl, person, told))
}
