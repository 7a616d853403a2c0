import { sql } from 'kysely'
import type { NotificationKind, NotificationWay } from '../../contract/notifications.ts'
import type { Trx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Parts } from '../library.ts'
import { queueMail } from '../mail/queue.ts'
import { kinds, rolesFor, usualWay } from './kinds.ts'
import { noticeLetter } from './letters.ts'

export interface Notice {
  clientId: string
  kind: NotificationKind
  /** What happens again for the same cause is the same notification. */
  cause: string
  subject: string
  name: string | null
  count: number
  /** Zero for what is no event. */
  eventId: number
  /** Who did it is not told of it. */
  actor?: string
  /** Left out: everybody who may. */
  readers?: string[]
}

/** More are left to the next day's mail. */
const mostMailsAnHour = 10

/** Tells everybody who may know and wants to, once for each event. */
export async function notify(parts: Parts, trx: Trx, notice: Notice): Promise<void> {
  const people = await readersOf(trx, notice)
  if (people.length === 0) return
  const told = await trx
    .insertInto('notifications')
    .values(
      people.map(({ id }) => ({
        id: newId('notification'),
        user_id: id,
        client_id: notice.clientId,
        kind: notice.kind,
        cause: notice.cause,
        subject: notice.subject,
        name: notice.name,
        count: notice.count,
        event_id: notice.eventId,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'client_id', 'kind', 'cause'])
        .doUpdateSet({
          count: kinds[notice.kind].countsAnew
            ? sql`case when notifications.read_at is null then notifications.count else 0 end + excluded.count`
            : sql`notifications.count + excluded.count`,
          name: sql`excluded.name`,
          subject: sql`excluded.subject`,
          event_id: sql`excluded.event_id`,
          created_at: sql`now()`,
          read_at: null,
          mailed_at: null,
        })
        .whereRef('notifications.event_id', '<', sql.ref('excluded.event_id')),
    )
    .returning(['id', 'user_id', 'count'])
    .execute()
  if (!parts.mailer.isSet) return
  const byId = new Map(people.map((person) => [person.id, person]))
  for (const { id, user_id, count } of told) {
    const person = byId.get(user_id)!
    if (person.way !== 'at-once' || person.mails_of_hour! >= mostMailsAnHour) continue
    await queueMail(parts, trx, noticeLetter(parts.config.publicUrl, person, { ...notice, ...person, count }))
    await trx.updateTable('notifications').set({ mailed_at: sql<Date>`now()` }).where('id', '=', id).execute()
  }
}

/** Who may see the client now, may do something about it, and has not switched it off. */
const readersOf = (trx: Trx, { clientId, kind, actor = '', readers }: Notice) =>
  trx
    .selectFrom('users')
    .innerJoin('clients', (join) => join.on('clients.id', '=', clientId))
    .leftJoin('notification_settings as setting', (join) =>
      join.onRef('setting.user_id', '=', 'users.id').on('setting.kind', '=', kind),
    )
    .select(['users.id', 'users.email', 'users.name as reader', 'users.role', 'users.language'])
    .select([
      'clients.name as clientName',
      sql<NotificationWay>`coalesce(setting.way, ${usualWay(kind)})`.as('way'),
    ])
    .select((eb) =>
      eb
        .selectFrom('notifications')
        .select(({ fn }) => fn.countAll<number>().as('mails'))
        .whereRef('notifications.user_id', '=', 'users.id')
        .where('mailed_at', '>', sql<Date>`now() - interval '1 hour'`)
        .as('mails_of_hour'),
    )
    .where('users.is_active', '=', true)
    .where('users.id', '<>', actor)
    .$if(readers !== undefined, (query) => query.where('users.id', 'in', [...readers!, '']))
    .where('users.role', 'in', rolesFor(kind) as never)
    .where(sql<boolean>`coalesce(setting.way, ${usualWay(kind)}) <> 'off'`)
    .where((eb) =>
      eb.or([
        eb('users.all_clients', '=', true),
        eb.exists(
          eb
            .selectFrom('user_clients')
            .select('user_id')
            .whereRef('user_clients.user_id', '=', 'users.id')
            .where('user_clients.client_id', '=', clientId),
        ),
      ]),
    )
    .execute()
