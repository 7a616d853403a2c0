import { type Selectable, sql } from 'kysely'
import type { EventType } from '../../contract/events.ts'
import type {
  NewWebhook,
  Replay,
  Webhook,
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
import { knownId, newId } from '../ids.ts'
import type { Caller, Parts } from '../library.ts'
import { newSigningSecret } from '../outbound/signatures.ts'
import { notFound, Problem } from '../problems.ts'
import { post } from './post.ts'

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
        ...(input.isEnabled && { failures: 0, failing_since: null }),
      })
      .where('id', '=', knownId('webhook', webhookId))
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw notFound('No webhook')
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

/** Sends one message that stands for nothing, and says what came back. */
export async function testWebhook(parts: Parts, tester: Caller, webhookId: string): Promise<WebhookTest> {
  const row = await parts.db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', knownId('webhook', webhookId))
    .executeTakeFirst()
  if (!row) throw notFound('No webhook')
  const { status, error } = await post(parts, row, {
    id: `test_${Date.now()}`,
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { webhookId },
  })
  const name = new URL(row.url).host
  await record(parts.db, tester, { action: 'webhook.tested', thing: webhookId, name, details: { status } })
  return { ok: error === null, status, error: error?.text ?? null, reason: error?.reason ?? null }
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
      const { clientIds, url } = await readWebhook(trx, knownId('webhook', webhookId))
      const counter = await trx
        .selectFrom('client_counters')
        .select('last_event')
        .where('client_id', '=', knownId('client', clientId))
        .executeTakeFirst()
      if (!counter || (clientIds && !clientIds.includes(clientId))) throw notFound('No client')
      if (fromEventId > counter.last_event)
        throw new Problem('invalid-request', `The newest event of the client is ${counter.last_event}.`)
      await trx
        .insertInto('webhook_cursors')
        .values({ webhook_id: webhookId, client_id: clientId, event_id: fromEventId - 1 })
        .onConflict((conflict) =>
          conflict.columns(['client_id', 'webhook_id']).doUpdateSet({
            event_id: fromEventId - 1,
            refusals: 0,
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
  lastError: row.last_error,
  lastErrorReason: row.last_error_reason,
  disabledReason: row.disabled_reason,
  disabledCode: row.disabled_code,
  setAside: row.set_aside,
  setAsideCount: Number(row.set_aside_count ?? 0),
  lastSentAt: row.last_sent_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
