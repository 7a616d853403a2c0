import { type Selectable, sql } from 'kysely'
import type { EventType } from '../../contract/events.ts'
import type {
  NewWebhook,
  Replay,
  Resend,
  RotateSecret,
  Webhook,
  WebhookAttempts,
  WebhookAttemptsQuery,
  WebhookChange,
  WebhookTest,
  WebhookWithSecret,
} from '../../contract/webhooks.ts'
import { namedClients } from '../access/named-clients.ts'
import { record } from '../changes/audit-trail.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import type { WebhooksTable } from '../db/schema.ts'
import { eventsAfter } from '../events/stream.ts'
import { knownId, newId } from '../ids.ts'
import { type Caller, makeLibrary, type Parts, system } from '../library.ts'
import { newSigningSecret } from '../outbound/signatures.ts'
import { notFound, Problem } from '../problems.ts'
import { listAttempts } from './attempts.ts'
import { type Message, post } from './post.ts'
import { eventMessage } from './set-aside.ts'

export async function createWebhook(
  { db, sealer }: Parts,
  maker: Caller,
  input: NewWebhook,
  idempotencyKey?: IdempotencyKey,
): Promise<WebhookWithSecret> {
  return changePlatform(
    db,
    maker,
    async ({ trx, note }) => {
      const id = newId('webhook')
      const secret = newSigningSecret()
      await trx
        .insertInto('webhooks')
        .values({
          id,
          url: input.url,
          all_clients: input.clientIds === null,
          event_types: input.eventTypes ?? [],
          sealed_secret: sealer.seal(secret),
          created_by: maker.id,
        })
        .execute()
      await follow(trx, id, input.clientIds)
      const webhook = await readWebhook(trx, id)
      note({ ...about(webhook), action: 'webhook.created' })
      return { ...webhook, secret }
    },
    idempotencyKey,
  )
}

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  return (await webhookRows(db).orderBy('webhooks.id').execute()).map(toWebhook)
}

/** Switched on again, it goes on where it stopped. */
export const changeWebhook = (
  db: Db,
  changer: Caller,
  webhookId: string,
  input: WebhookChange,
): Promise<Webhook> =>
  changePlatform(db, changer, async ({ trx, note }) => {
    const changed = await trx
      .updateTable('webhooks')
      .set({
        updated_at: new Date(),
        next_attempt_at: new Date(),
        ...(input.url !== undefined && { url: input.url }),
        ...(input.clientIds !== undefined && { all_clients: input.clientIds === null }),
        ...(input.eventTypes !== undefined && { event_types: input.eventTypes }),
        ...(input.isEnabled !== undefined && {
          is_enabled: input.isEnabled,
          disabled_reason: input.isEnabled ? null : 'Switched off by an administrator.',
          disabled_code: input.isEnabled ? null : ('switched-off' as const),
        }),
      })
      .where('id', '=', knownId('webhook', webhookId))
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw notFound('No webhook')
    await trx
      .updateTable('webhook_cursors')
      .set({ next_attempt_at: new Date(), ...(input.isEnabled && { failures: 0, failing_since: null }) })
      .where('webhook_id', '=', webhookId)
      .execute()
    if (input.clientIds !== undefined) await follow(trx, webhookId, input.clientIds)
    const webhook = await readWebhook(trx, webhookId)
    note({ ...about(webhook), action: 'webhook.updated' })
    await rightsChanged(trx)
    return webhook
  })

export const deleteWebhook = (db: Db, remover: Caller, webhookId: string): Promise<void> =>
  changePlatform(db, remover, async ({ trx, note }) => {
    const webhook = await readWebhook(trx, knownId('webhook', webhookId))
    await trx.deleteFrom('webhooks').where('id', '=', webhook.webhookId).execute()
    note({ ...about(webhook), action: 'webhook.deleted' })
  })

const about = ({ webhookId, url, clientIds, eventTypes, isEnabled }: Webhook) => ({
  thing: webhookId,
  name: new URL(url).host,
  details: { clientIds, eventTypes, isEnabled },
})

/** Signs with both for a while, so that the receiver can be told the new one in its own time. */
export const rotateSecret = (
  { db, sealer }: Parts,
  rotator: Caller,
  webhookId: string,
  { overlapHours = 24 }: RotateSecret,
  idempotencyKey?: IdempotencyKey,
): Promise<WebhookWithSecret> =>
  changePlatform(
    db,
    rotator,
    async ({ trx, note }) => {
      const secret = newSigningSecret()
      const rotated = await trx
        .updateTable('webhooks')
        .set({
          sealed_secret: sealer.seal(secret),
          previous_sealed_secret: overlapHours > 0 ? sql`sealed_secret` : null,
          previous_secret_ends_at:
            overlapHours > 0 ? sql`now() + make_interval(hours => ${overlapHours})` : null,
          updated_at: new Date(),
        })
        .where('id', '=', knownId('webhook', webhookId))
        .returning('id')
        .executeTakeFirst()
      if (!rotated) throw notFound('No webhook')
      const webhook = await readWebhook(trx, webhookId)
      const name = new URL(webhook.url).host
      note({ action: 'webhook.secret-rotated', thing: webhookId, name, details: { overlapHours } })
      return { ...webhook, secret }
    },
    idempotencyKey,
  )

/** They sign nothing any more, and need not lie here. */
export const forgetEndedSecrets = (db: Db) =>
  db
    .updateTable('webhooks')
    .set({ previous_sealed_secret: null, previous_secret_ends_at: null })
    .where('previous_secret_ends_at', '<', sql<Date>`now()`)
    .execute()

export async function readAttempts(
  db: Db,
  webhookId: string,
  query: WebhookAttemptsQuery,
): Promise<WebhookAttempts> {
  const { id } = await receiverOf(db, webhookId)
  return listAttempts(db, id, query)
}

/** Sends one message that stands for nothing, and says what came back. */
export async function testWebhook(parts: Parts, tester: Caller, webhookId: string): Promise<WebhookTest> {
  const receiver = await receiverOf(parts.db, webhookId)
  const answer = await postOnce(parts, receiver, {
    id: `test_${Date.now()}`,
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { webhookId },
  })
  const name = new URL(receiver.url).host
  const details = { status: answer.status }
  await record(parts.db, tester, { action: 'webhook.tested', thing: webhookId, name, details })
  return answer
}

/** Sends one event again, now. One that was set aside is so no longer once it is taken. */
export async function resend(
  parts: Parts,
  asker: Caller,
  webhookId: string,
  { clientId, eventId }: Resend,
): Promise<WebhookTest> {
  const { db } = parts
  const receiver = await receiverOf(db, webhookId)
  await followedClient(db, webhookId, clientId)
  const [event] = await eventsAfter(makeLibrary(parts, clientId, system), eventId - 1, 1)
  if (event?.eventId !== eventId) throw notFound('No event')
  const answer = await postOnce(parts, receiver, eventMessage(event))
  await changePlatform(db, asker, async ({ trx, note }) => {
    if (answer.ok)
      await trx
        .deleteFrom('webhook_set_aside')
        .where('webhook_id', '=', webhookId)
        .where('client_id', '=', clientId)
        .where('event_id', '=', eventId)
        .execute()
    const details = { eventId, status: answer.status }
    const name = new URL(receiver.url).host
    note({ action: 'webhook.replayed', thing: webhookId, clientId, name, details })
  })
  return answer
}

async function receiverOf(db: Reader, webhookId: string): Promise<Selectable<WebhooksTable>> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', knownId('webhook', webhookId))
    .executeTakeFirst()
  if (!row) throw notFound('No webhook')
  return row
}

async function postOnce(
  parts: Parts,
  receiver: Selectable<WebhooksTable>,
  message: Message,
): Promise<WebhookTest> {
  const { status, error, text } = await post(parts, receiver, message)
  return {
    ok: error === null,
    status,
    error: error?.text ?? null,
    reason: error?.reason ?? null,
    answer: text,
  }
}

/** Sends a client's events again, from this one on. Receivers tell repeats by their `webhook-id`. */
export const replay = (
  db: Db,
  asker: Caller,
  webhookId: string,
  { clientId, fromEventId }: Replay,
  idempotencyKey?: IdempotencyKey,
): Promise<Webhook> =>
  changePlatform(
    db,
    asker,
    async ({ trx, note }) => {
      const { url, last_event } = await followedClient(trx, webhookId, clientId)
      if (fromEventId > last_event)
        throw new Problem('invalid-request', `The newest event of the client is ${last_event}.`)
      await trx
        .insertInto('webhook_cursors')
        .values({ webhook_id: webhookId, client_id: clientId, event_id: fromEventId - 1 })
        .onConflict((conflict) =>
          conflict.columns(['client_id', 'webhook_id']).doUpdateSet({
            event_id: fromEventId - 1,
            refusals: 0,
            failures: 0,
            next_attempt_at: new Date(),
          }),
        )
        .execute()
      await trx
        .deleteFrom('webhook_set_aside')
        .where('webhook_id', '=', webhookId)
        .where('client_id', '=', clientId)
        .where('event_id', '>=', fromEventId)
        .execute()
      const name = new URL(url).host
      note({ action: 'webhook.replayed', thing: webhookId, clientId, name, details: { fromEventId } })
      await rightsChanged(trx)
      return readWebhook(trx, webhookId)
    },
    idempotencyKey,
  )

async function followedClient(db: Reader, webhookId: string, clientId: string) {
  const { clientIds, url } = await readWebhook(db, knownId('webhook', webhookId))
  const counter = await db
    .selectFrom('client_counters')
    .select('last_event')
    .where('client_id', '=', knownId('client', clientId))
    .executeTakeFirst()
  if (!counter || (clientIds && !clientIds.includes(clientId))) throw notFound('No client')
  return { url, last_event: counter.last_event }
}

/** From now on: what happened before a webhook followed a client is not sent, unless it is asked for. */
async function follow(trx: Trx, webhookId: string, clientIds: string[] | null): Promise<void> {
  const ids = clientIds && (await namedClients(trx, clientIds))
  if (ids)
    await trx
      .deleteFrom('webhook_cursors')
      .where('webhook_id', '=', webhookId)
      .where(sql<boolean>`client_id <> all(${ids}::text[])`)
      .execute()
  await sql`
    insert into webhook_cursors (client_id, webhook_id, event_id)
    select client_id, ${webhookId}, last_event from client_counters
    where ${ids === null} or client_id = any(${ids ?? []}::text[])
    on conflict do nothing`.execute(trx)
}

async function readWebhook(db: Reader, webhookId: string): Promise<Webhook> {
  const row = await webhookRows(db).where('webhooks.id', '=', webhookId).executeTakeFirst()
  if (!row) throw notFound('No webhook')
  return toWebhook(row)
}

const webhookRows = (db: Reader) =>
  db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .select((eb) =>
      eb
        .selectFrom('webhook_cursors')
        .select(sql<string[]>`array_agg(client_id order by client_id)`.as('ids'))
        .whereRef('webhook_id', '=', 'webhooks.id')
        .as('client_ids'),
    )
    .select((eb) =>
      eb
        .selectFrom('webhook_cursors')
        .select((cursors) => cursors.fn.min('failing_since').as('since'))
        .whereRef('webhook_id', '=', 'webhooks.id')
        .as('failing_since'),
    )
    .select(
      sql<Pick<Webhook, 'lastError' | 'lastErrorReason'> | null>`(
        select jsonb_build_object('lastError', last_error, 'lastErrorReason', last_error_reason)
        from webhook_cursors where webhook_id = webhooks.id and last_error is not null
        order by failing_since desc, client_id limit 1)`.as('trouble'),
    )
    .select((eb) =>
      eb
        .selectFrom('webhook_set_aside')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('webhook_id', '=', 'webhooks.id')
        .as('set_aside_count'),
    )
    .select(
      sql<Webhook['setAside']>`coalesce((
        select jsonb_agg(jsonb_build_object('clientId', client_id, 'eventId', event_id, 'error', error, 'reason', reason,
          'setAsideAt', to_char(set_aside_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        from (select * from webhook_set_aside where webhook_id = webhooks.id
          order by set_aside_at desc, client_id, event_id desc limit ${mostShown}) newest), '[]')`.as(
        'set_aside',
      ),
    )

const mostShown = 20

const toWebhook = (
  row: Selectable<WebhooksTable> & {
    client_ids: string[] | null
    failing_since: Date | null
    trouble: Pick<Webhook, 'lastError' | 'lastErrorReason'> | null
    set_aside: Webhook['setAside']
    set_aside_count: number | null
  },
): Webhook => ({
  webhookId: row.id,
  url: row.url,
  clientIds: row.all_clients ? null : (row.client_ids ?? []),
  eventTypes: row.event_types as EventType[],
  isEnabled: row.is_enabled,
  failingSince: row.failing_since?.toISOString() ?? null,
  lastError: row.trouble?.lastError ?? null,
  lastErrorReason: row.trouble?.lastErrorReason ?? null,
  disabledReason: row.disabled_reason,
  disabledCode: row.disabled_code,
  setAside: row.set_aside,
  setAsideCount: Number(row.set_aside_count ?? 0),
  previousSecretEndsAt: endOf(row.previous_secret_ends_at),
  lastSentAt: row.last_sent_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

const endOf = (time: Date | null) => (time && time > new Date() ? time.toISOString() : null)
