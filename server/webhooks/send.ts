import type { FastifyBaseLogger } from 'fastify'
import { type Selectable, sql, type UpdateObject } from 'kysely'
import { changePlatform } from '../changes/platform.ts'
import type { Reader } from '../db/reader.ts'
import type { Schema, WebhooksTable } from '../db/schema.ts'
import { eventsAfter } from '../events/stream.ts'
import { leaseOn, newOwner } from '../jobs/lease.ts'
import { makeLibrary, type Parts, system } from '../library.ts'
import { lastError, type OutboundError, outboundError } from '../outbound/errors.ts'
import { post } from './post.ts'

const pageSize = 100
/** How often to look even when nobody has told of new events: for retries, and for events told while nobody heard. */
const glance = 5_000
const firstPause = 2
const longestPause = 3600
const switchOffAfterHours = 72
/** After so many refusals of one event the next ones are sent, and it is set aside. */
const mostRefusals = 5

type WebhookRow = Selectable<WebhooksTable>

const leases = leaseOn('webhooks', { owner: 'lease', until: 'leased_until', seconds: 60 })

/**
 * Sends events to webhooks for as long as the server runs. Each webhook gets a client's events in their order and
 * at least once: its cursor moves only behind what was taken, so a restart goes on where the last one stopped.
 */
export function sendWebhooks(parts: Parts, log: FastifyBaseLogger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const me = newOwner()
  const busy = new Map<string, Promise<void>>()
  let again = false
  let looking = Promise.resolve()

  const wake = () => {
    again = true
    looking = looking.then(look).catch((error) => log.warn({ err: error }, 'webhooks'))
  }
  // One webhook that is slow does not hold up the others.
  async function look(): Promise<void> {
    if (!again || stopping.signal.aborted) return
    again = false
    for (const { id } of await dueWebhooks(parts)) {
      if (busy.has(id)) continue
      const sending = sendDue(parts, id, me, stopping.signal)
        .catch((error) => log.warn({ err: error, webhook: id }, 'webhooks'))
        .finally(() => busy.delete(id))
      busy.set(id, sending)
    }
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

const dueWebhooks = ({ db }: Parts) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('is_enabled', '=', true)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .execute()

async function sendDue(parts: Parts, webhookId: string, me: string, signal: AbortSignal): Promise<void> {
  const mine = { id: webhookId, lease: me }
  using _renewal = leases.keepRenewed(() => write(parts, mine, leases.takenBy(me)))
  for (;;) {
    const webhook = await lease(parts, webhookId, me)
    if (!webhook) return
    const sent = signal.aborted ? 0 : await sendPages(parts, webhook, signal)
    if (sent === 0 || signal.aborted) return void (await write(parts, mine, leases.givenBack))
  }
}

/** One process at a time: two would send in no order. */
const lease = ({ db }: Parts, webhookId: string, me: string): Promise<WebhookRow | undefined> =>
  db
    .updateTable('webhooks')
    .set(leases.takenBy(me))
    .where('id', '=', webhookId)
    .where('is_enabled', '=', true)
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .where((eb) => eb.or([leases.isFree, leases.isHeldBy(me)]))
    .returningAll()
    .executeTakeFirst()

/** False when another sender has it by now, and this one has no say any more. */
const write = async (
  { db }: { db: Reader },
  { id, lease }: Pick<WebhookRow, 'id' | 'lease'>,
  columns: UpdateObject<Schema, 'webhooks'>,
): Promise<boolean> => {
  const written = await db
    .updateTable('webhooks')
    .set(columns)
    .where('id', '=', id)
    .where(leases.isHeldBy(lease!))
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/**
 * The next events of each client. Returns how many were passed; none when the receiver is in trouble. An event that it
 * refuses holds up the events of its own client, and those not for long.
 */
async function sendPages(parts: Parts, webhook: WebhookRow, signal: AbortSignal): Promise<number> {
  let passed = 0
  for (const { client_id, event_id } of await positions(parts, webhook)) {
    const events = await eventsAfter(makeLibrary(parts, client_id, system), event_id, pageSize)
    let position = event_id
    let refused: number | undefined
    for (const event of events) {
      const wanted = webhook.event_types.length === 0 || webhook.event_types.includes(event.type)
      if (wanted) {
        const message = {
          id: `${client_id}.${event.eventId}`,
          type: event.type,
          timestamp: event.at,
          data: event,
        }
        const { status, error } = await post(parts, webhook, message, signal).catch(notSent)
        if (signal.aborted && error !== null) return 0
        if (error !== null && !isRefusal(status)) {
          await keepFailure(parts, webhook, error)
          return 0
        }
        const stillHeld =
          error === null ? await keepSuccess(parts, webhook) : await noteFailure(parts, webhook, error)
        if (!stillHeld) return 0
        if (error !== null && !(await setAside(parts, webhook, client_id, position, event.eventId, error))) {
          refused = event.eventId
          break
        }
        if (!(await moveCursor(parts, webhook, client_id, position, event.eventId))) return passed + 1
        position = event.eventId
      }
      passed++
    }
    const last = events.at(-1)?.eventId
    const isRefused = events.some(({ eventId }) => eventId === refused)
    if (last !== undefined && last > position && !isRefused)
      await moveCursor(parts, webhook, client_id, position, last)
  }
  return passed
}

/** Its secret was sealed with another key: its owner sees why nothing comes, and it goes on when the key is set. */
function notSent(error: unknown): { status: null; error: OutboundError } {
  const known = outboundError(error)
  if (!known) throw error
  return { status: null, error: known }
}

/** It has looked at the event and does not want it; all else is trouble of its own, and passes. */
const isRefusal = (status: number | null) =>
  status !== null && status <= 500 && ![408, 410, 425, 429].includes(status)

/** Whether this was one refusal too many: then the event is set aside. Otherwise its client waits, longer each time. */
async function setAside(
  parts: Parts,
  webhook: WebhookRow,
  clientId: string,
  position: number,
  eventId: number,
  error: OutboundError,
): Promise<boolean> {
  await ensureCursor(parts, webhook, clientId)
  const { refusals } = await parts.db
    .updateTable('webhook_cursors')
    .set({
      refusals: sql`refusals + 1`,
      next_attempt_at: sql`now() + make_interval(secs => ${firstPause} * (2 ^ least(refusals, 10)))`,
    })
    .where('webhook_id', '=', webhook.id)
    .where('client_id', '=', clientId)
    .where('event_id', '=', position)
    .returning('refusals')
    .executeTakeFirst()
    .then((row) => row ?? { refusals: 0 })
  if (refusals < mostRefusals) return false
  await parts.db
    .insertInto('webhook_set_aside')
    .values({
      webhook_id: webhook.id,
      client_id: clientId,
      event_id: eventId,
      error: error.text,
      reason: JSON.stringify(error.reason),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** Clients with something new, and where the webhook stands with each. */
const positions = async ({ db }: Parts, { id, all_clients }: WebhookRow) =>
  (
    await sql<{ client_id: string; event_id: number }>`
      select counters.client_id, coalesce(cursors.event_id, 0)::bigint as event_id
      from client_counters counters
      left join webhook_cursors cursors on cursors.client_id = counters.client_id and cursors.webhook_id = ${id}
      where (cursors.client_id is not null or ${all_clients}) and counters.last_event > coalesce(cursors.event_id, 0)
        and (cursors.next_attempt_at is null or cursors.next_attempt_at <= now())
      order by counters.client_id`.execute(db)
  ).rows

/** False when somebody has asked for a replay meanwhile, or the client is no longer followed. */
async function moveCursor(
  parts: Parts,
  webhook: WebhookRow,
  clientId: string,
  from: number,
  to: number,
): Promise<boolean> {
  await ensureCursor(parts, webhook, clientId)
  const moved = await parts.db
    .updateTable('webhook_cursors')
    .set({ event_id: to, refusals: 0, next_attempt_at: sql`now()` })
    .where('webhook_id', '=', webhook.id)
    .where('client_id', '=', clientId)
    .where('event_id', '=', from)
    .returning('event_id')
    .executeTakeFirst()
  return moved !== undefined
}

async function ensureCursor({ db }: Parts, webhook: WebhookRow, clientId: string): Promise<void> {
  if (!webhook.all_clients) return
  await db
    .insertInto('webhook_cursors')
    .values({ webhook_id: webhook.id, client_id: clientId, event_id: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** For all to see; nothing waits for it. */
const noteFailure = (parts: Parts, webhook: WebhookRow, error: OutboundError) =>
  write(parts, webhook, { ...lastError(error), failing_since: sql`coalesce(failing_since, now())` })

const keepSuccess = (parts: Parts, webhook: WebhookRow) =>
  write(parts, webhook, { last_sent_at: new Date(), failures: 0, failing_since: null, ...lastError(null) })

/** Later and later; after days without one success it is switched off, with the reason for all to see. */
function keepFailure({ db }: Parts, webhook: WebhookRow, error: OutboundError): Promise<void> {
  const since = webhook.failing_since ?? new Date()
  const hours = (Date.now() - since.getTime()) / 3_600_000
  const pause = Math.min(longestPause, firstPause * 2 ** webhook.failures)
  const givesUp = hours > switchOffAfterHours
  return changePlatform(db, system, async ({ trx, note }) => {
    const kept = await write({ db: trx }, webhook, {
      failures: webhook.failures + 1,
      failing_since: since,
      ...lastError(error),
      next_attempt_at: sql`now() + make_interval(secs => ${pause})`,
      ...leases.givenBack,
      ...(givesUp && {
        is_enabled: false,
        disabled_reason: `It failed for ${Math.floor(hours)} hours. ${error.text}`,
        disabled_code: 'gave-up' as const,
      }),
    })
    if (kept && givesUp)
      note({
        action: 'webhook.updated',
        thing: webhook.id,
        name: new URL(webhook.url).host,
        details: { isEnabled: false },
      })
  })
}
