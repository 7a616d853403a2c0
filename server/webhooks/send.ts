import type { FastifyBaseLogger } from 'fastify'
import { type Selectable, sql, type UpdateObject } from 'kysely'
import type { LibraryEvent } from '../../contract/events.ts'
import type { Schema, WebhooksTable } from '../db/schema.ts'
import { eventsAfter } from '../events/stream.ts'
import { leaseOn, newOwner } from '../jobs/lease.ts'
import { makeLibrary, type Parts, system } from '../library.ts'
import { lastError, outboundError } from '../outbound/errors.ts'
import { pauseAskedFor } from '../outbound/retry-after.ts'
import type { Answer } from './attempts.ts'
import { pauseAfter } from './pauses.ts'
import { post } from './post.ts'
import { eventMessage, setAside } from './set-aside.ts'
import { switchOff } from './switch-off.ts'

const pageSize = 100
/** How often to look even when nobody has told of new events: for retries, and for events told while nobody heard. */
const glance = 5_000
/** How many clients of one webhook are sent to at once; the others come next. */
const mostAtOnce = 8
/** Then it is another client's turn. */
const longestTurn = 10_000
const giveUpAfterHours = 72
/** After so many refusals of one event the next ones are sent, and it is set aside. */
const mostRefusals = 5

/** Where a webhook stands in one client's events. */
type Cursor = Pick<
  Selectable<Schema['webhook_cursors']>,
  'webhook_id' | 'client_id' | 'event_id' | 'refusals' | 'failures' | 'failing_since' | 'lease'
>
type Line = Pick<Cursor, 'webhook_id' | 'client_id'>

const leases = leaseOn('webhook_cursors', { owner: 'lease', until: 'leased_until', seconds: 60 })

/**
 * Sends events to webhooks for as long as the server runs. Each webhook gets a client's events in their order and
 * at least once: its cursor moves only behind what was taken, so a restart goes on where the last one stopped. Clients
 * do not wait for each other, and neither do webhooks.
 */
export function sendWebhooks(parts: Parts, log: FastifyBaseLogger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const me = newOwner()
  const busy = new Map<string, Promise<void>>()
  const placesTaken = new Map<string, number>()
  let again = false
  let looking = Promise.resolve()

  const wake = () => {
    again = true
    looking = looking.then(look).catch((error) => log.warn({ err: error }, 'webhooks'))
  }
  async function look(): Promise<void> {
    if (!again || stopping.signal.aborted) return
    again = false
    for (const line of await dueLines(parts)) if (hasPlace(line)) begin(line)
  }
  const hasPlace = (line: Line) =>
    !busy.has(nameOf(line)) && (placesTaken.get(line.webhook_id) ?? 0) < mostAtOnce

  function begin(line: Line): void {
    const count = (by: number) =>
      placesTaken.set(line.webhook_id, (placesTaken.get(line.webhook_id) ?? 0) + by)
    count(1)
    const turn = takeTurn(parts, line, me, stopping.signal)
      .then(
        () => wake,
        (error) => void log.warn({ err: error, webhook: line.webhook_id }, 'webhooks'),
      )
      .then((wakeNext) => {
        count(-1)
        busy.delete(nameOf(line))
        wakeNext?.()
      })
    busy.set(nameOf(line), turn)
  }

  const unfollow = parts.newEvents.followAll(wake)
  const timer = setInterval(wake, glance)
  wake()
  return {
    async stop() {
      unfollow()
      clearInterval(timer)
      stopping.abort()
      await looking
      await Promise.all(busy.values())
    },
  }
}

const nameOf = ({ webhook_id, client_id }: Line) => `${webhook_id} ${client_id}`

/** Clients with something new for a webhook, who has waited longest first. */
async function dueLines({ db }: Parts): Promise<Line[]> {
  await sql`
    insert into webhook_cursors (client_id, webhook_id, event_id)
    select counters.client_id, webhooks.id, 0
    from webhooks cross join client_counters counters
    left join webhook_cursors cursors on cursors.client_id = counters.client_id and cursors.webhook_id = webhooks.id
    where webhooks.all_clients and webhooks.is_enabled and counters.last_event > 0 and cursors.client_id is null
    on conflict do nothing`.execute(db)
  return db
    .selectFrom('webhook_cursors')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_cursors.webhook_id')
    .innerJoin('client_counters', 'client_counters.client_id', 'webhook_cursors.client_id')
    .select(['webhook_cursors.webhook_id', 'webhook_cursors.client_id'])
    .where('webhooks.is_enabled', '=', true)
    .where('webhooks.next_attempt_at', '<=', sql<Date>`now()`)
    .where('webhook_cursors.next_attempt_at', '<=', sql<Date>`now()`)
    .whereRef('client_counters.last_event', '>', 'webhook_cursors.event_id')
    .where(leases.isFree)
    .orderBy('webhook_cursors.next_attempt_at')
    .execute()
}

async function takeTurn(parts: Parts, line: Line, me: string, signal: AbortSignal): Promise<void> {
  const cursor = await lease(parts, line, me)
  if (!cursor) return
  using _renewal = leases.keepRenewed(() => write(parts, cursor, leases.takenBy(me)))
  try {
    await sendSome(parts, cursor, signal)
  } finally {
    await write(parts, cursor, leases.givenBack)
  }
}

/** One process at a time: two would send in no order. */
const lease = ({ db }: Parts, { webhook_id, client_id }: Line, me: string): Promise<Cursor | undefined> =>
  db
    .updateTable('webhook_cursors')
    .set(leases.takenBy(me))
    .where('webhook_id', '=', webhook_id)
    .where('client_id', '=', client_id)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .where(leases.isFree)
    .returning(['webhook_id', 'client_id', 'event_id', 'refusals', 'failures', 'failing_since', 'lease'])
    .executeTakeFirst()

/** False when another sender has it by now, and this one has no say any more. */
const write = async (
  { db }: Parts,
  { webhook_id, client_id, lease }: Cursor,
  columns: UpdateObject<Schema, 'webhook_cursors'>,
  from?: number,
): Promise<boolean> => {
  const written = await db
    .updateTable('webhook_cursors')
    .set(columns)
    .where('webhook_id', '=', webhook_id)
    .where('client_id', '=', client_id)
    .where(leases.isHeldBy(lease!))
    .$if(from !== undefined, (cursors) => cursors.where('event_id', '=', from!))
    .returning('client_id')
    .executeTakeFirst()
  return written !== undefined
}

/** A turn's worth of the next events, until one is not taken. */
async function sendSome(parts: Parts, cursor: Cursor, signal: AbortSignal): Promise<void> {
  const { event_types } = (await enabledWebhook(parts, cursor.webhook_id)) ?? {}
  if (!event_types) return
  const newest = await newestEvent(parts, cursor.client_id)
  const events = await eventsAfter(makeLibrary(parts, cursor.client_id, system), cursor.event_id, pageSize)
  const end = Date.now() + longestTurn
  for (const event of events) {
    if (event_types.length > 0 && !event_types.includes(event.type)) continue
    const webhook = await enabledWebhook(parts, cursor.webhook_id)
    if (!webhook || signal.aborted || Date.now() > end) return
    const answer = await post(parts, webhook, eventMessage(event), signal).catch(notSent)
    if (signal.aborted && answer.error) return
    const isBehindUs = answer.error
      ? await keepFailure(parts, webhook, cursor, event, answer)
      : await keepSuccess(parts, cursor)
    if (!isBehindUs || !(await moveOn(parts, cursor, event.eventId))) return
  }
  // Where there are none any more, they were too old to be kept.
  const seen = events.at(-1)?.eventId ?? newest
  if (seen > cursor.event_id) await moveOn(parts, cursor, seen)
}

const newestEvent = async ({ db }: Parts, clientId: string) =>
  (
    await db
      .selectFrom('client_counters')
      .select('last_event')
      .where('client_id', '=', clientId)
      .executeTakeFirst()
  )?.last_event ?? 0

const enabledWebhook = ({ db }: Parts, webhookId: string) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .where('is_enabled', '=', true)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .executeTakeFirst()

/** Its secret was sealed with another key: its owner sees why nothing comes, and it goes on when the key is set. */
function notSent(error: unknown): Answer {
  const known = outboundError(error)
  if (!known) throw error
  return { status: null, error: known, text: null }
}

/** False when somebody has asked for a replay meanwhile, or the client is no longer followed. */
async function moveOn(parts: Parts, cursor: Cursor, to: number): Promise<boolean> {
  const untroubled = { refusals: 0, failures: 0, failing_since: null, ...lastError(null) }
  const moved = await write(
    parts,
    cursor,
    { event_id: to, ...untroubled, next_attempt_at: sql`now()` },
    cursor.event_id,
  )
  Object.assign(cursor, { event_id: to, refusals: 0, failures: 0, failing_since: null })
  return moved
}

async function keepSuccess(parts: Parts, cursor: Cursor): Promise<boolean> {
  const stillHeld = await write(parts, cursor, leases.takenBy(cursor.lease!))
  if (stillHeld)
    await parts.db
      .updateTable('webhooks')
      .set({ last_sent_at: new Date() })
      .where('id', '=', cursor.webhook_id)
      .execute()
  return stillHeld
}

/**
 * Whether to go on with the next event: this one is set aside once it was refused too often. Otherwise the client
 * waits, longer each time, and where the receiver says how long, so do the others that it is sent.
 */
async function keepFailure(
  parts: Parts,
  webhook: Selectable<WebhooksTable>,
  cursor: Cursor,
  event: LibraryEvent,
  { status, error, retryAfter }: Answer,
): Promise<boolean> {
  const since = cursor.failing_since ?? new Date()
  const refusals = cursor.refusals + (isRefusal(status) && retryAfter === undefined ? 1 : 0)
  const kept = await write(parts, cursor, {
    refusals,
    failures: cursor.failures + 1,
    failing_since: since,
    ...lastError(error),
    next_attempt_at: sql`now() + make_interval(secs => ${pauseAfter(cursor.failures)})`,
  })
  if (!kept) return false
  if (retryAfter !== undefined) await holdBack(parts, webhook.id, pauseAskedFor(retryAfter))
  if (status === 410) {
    await switchOff(parts.db, webhook, 'gone', `It wants no more messages. ${error!.text}`)
    return false
  }
  const hours = hoursSince(since)
  const isLongAgo = hours > giveUpAfterHours
  const takesNothing = !webhook.last_sent_at || hoursSince(webhook.last_sent_at) > giveUpAfterHours
  if (isLongAgo && takesNothing) {
    await switchOff(parts.db, webhook, 'gave-up', `It failed for ${Math.floor(hours)} hours. ${error!.text}`)
    return false
  }
  if (refusals < mostRefusals && !isLongAgo) return false
  await setAside(parts.db, webhook.id, event, error!)
  return true
}

const hoursSince = (time: Date) => (Date.now() - time.getTime()) / 3_600_000

/** It has looked at the event and does not want it; all else is trouble of its own, and passes. */
const isRefusal = (status: number | null) =>
  status !== null && status <= 500 && ![408, 410, 425, 429].includes(status)

const holdBack = ({ db }: Parts, webhookId: string, seconds: number) =>
  db
    .updateTable('webhooks')
    .set({ next_attempt_at: sql`greatest(next_attempt_at, now() + make_interval(secs => ${seconds}))` })
    .where('id', '=', webhookId)
    .execute()
