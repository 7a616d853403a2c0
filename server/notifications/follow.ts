import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { LibraryEvent } from '../../contract/events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Trx } from '../db/database.ts'
import { eventsAfter } from '../events/stream.ts'
import { makeLibrary, type Parts, system } from '../library.ts'
import { noticeQuota } from './due.ts'
import { kinds, kindsOfEvent } from './kinds.ts'
import { type Notice, notify } from './notify.ts'

const pageSize = 100
/** What comes in a crowd is looked at together. */
const gather = 500
/** How often to look even when nobody has told of new events. */
const glance = 30_000

/** Tells people of events for as long as the server runs. A cursor says up to where, so a restart goes on where the last one stopped. */
export function followEvents(parts: Parts, log: FastifyBaseLogger): { stop(): Promise<void> } {
  let stopped = false
  let waiting: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  function wake() {
    if (stopped || waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      looking = looking.then(look).catch((error) => log.warn({ err: error }, 'notifications'))
    }, gather)
  }
  async function look(): Promise<void> {
    for (const clientId of await clientsBehind(parts)) {
      if (stopped) return
      if (await readOn(parts, clientId)) wake()
    }
  }

  const unfollow = parts.newEvents.followAll(wake)
  const timer = setInterval(wake, glance)
  wake()
  return {
    async stop() {
      stopped = true
      unfollow()
      clearInterval(timer)
      clearTimeout(waiting)
      await looking
    },
  }
}

async function clientsBehind({ db }: Parts): Promise<string[]> {
  const { rows } = await sql<{ client_id: string }>`
    select counters.client_id from client_counters counters
    left join notification_cursors cursors on cursors.client_id = counters.client_id
    where counters.last_event > coalesce(cursors.event_id, 0) limit 100`.execute(db)
  return rows.map(({ client_id }) => client_id)
}

/** Some of a client's next events, in one transaction with how far it has come. Whether there are more. */
export const readOn = (parts: Parts, clientId: string): Promise<boolean> =>
  changePlatform(parts.db, system, async ({ trx }) => {
    const from = await holdCursor(trx, clientId)
    if (from === undefined) return false
    const newest = await newestEvent(trx, clientId)
    const library = makeLibrary({ ...parts, db: trx }, clientId, system)
    const events = await eventsAfter(library, from, pageSize)
    for (const notice of await noticesOf(trx, events)) await notify(parts, trx, notice)
    if (events.some(({ type }) => type.startsWith('asset.'))) await noticeQuota(parts, trx, clientId)
    // Where there are none any more, they were too old to be kept.
    const isMore = events.length === pageSize
    const to = isMore ? events.at(-1)!.eventId : newest
    await trx
      .updateTable('notification_cursors')
      .set({ event_id: to })
      .where('client_id', '=', clientId)
      .execute()
    return isMore
  })

/** What one person does to many at once is told at once. */
async function noticesOf(trx: Trx, events: LibraryEvent[]): Promise<Notice[]> {
  const notices: Notice[] = []
  for (const event of events)
    for (const kind of kindsOfEvent(event.type)) {
      const about = await kinds[kind].about(trx, event)
      if (!about) continue
      const { clientId, eventId, subject, actor } = event
      const last = notices.findLast((notice) => notice.kind === kind && notice.cause === about.cause)
      const isMore = last?.actor === actor && !last.readers && !about.readers
      if (isMore) Object.assign(last, about, { subject, eventId, count: last.count + 1 })
      else notices.push({ clientId, kind, ...about, subject, count: 1, eventId, actor })
    }
  return notices
}

/** Undefined when another process is at it. */
async function holdCursor(trx: Trx, clientId: string): Promise<number | undefined> {
  await trx
    .insertInto('notification_cursors')
    .values({ client_id: clientId, event_id: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const held = await trx
    .selectFrom('notification_cursors')
    .select('event_id')
    .where('client_id', '=', clientId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return held?.event_id
}

const newestEvent = async (trx: Trx, clientId: string): Promise<number> =>
  (
    await trx
      .selectFrom('client_counters')
      .select('last_event')
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow()
  ).last_event
