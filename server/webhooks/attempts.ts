import { type Selectable, sql } from 'kysely'
import type { WebhookAttempt, WebhookAttempts, WebhookAttemptsQuery } from '../../contract/webhooks.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Db, Reader } from '../db/database.ts'
import { keepable } from '../db/keepable.ts'
import type { WebhookAttemptsTable } from '../db/schema.ts'
import type { OutboundError } from '../outbound/errors.ts'

export const longestText = 1000
const mostKept = 5000

export interface LoggedMessage {
  id: string
  type: string
  /** Of an event; a test has none. */
  clientId?: string
  eventId?: number
}

export interface Answer {
  status: number | null
  /** Null for a 2xx alone. */
  error: OutboundError | null
  /** The beginning of what the receiver said, as it is shown. */
  text: string | null
  /** Seconds, where it says so. */
  retryAfter?: number | undefined
}

export async function logAttempt(
  db: Db,
  webhookId: string,
  { clientId, eventId, type }: LoggedMessage,
  { status, error, text }: Answer,
  milliseconds: number,
): Promise<void> {
  // Who was deleted meanwhile, webhook or client, has no log any more.
  await sql`
    insert into webhook_attempts
      (webhook_id, client_id, event_id, type, milliseconds, status, error, reason, answer)
    select id, ${clientId ?? null}, ${eventId ?? null}::bigint, ${type}, ${Math.round(milliseconds)}::int, ${status}::int,
      ${error && keepable(error.text, longestText)}, ${error && JSON.stringify(error.reason)}::jsonb, ${text}
    from webhooks where id = ${webhookId}
      and (${clientId ?? null}::text is null or exists (select from clients where id = ${clientId ?? null}))`.execute(
    db,
  )
}

/** The newest first. */
export async function listAttempts(
  db: Reader,
  webhookId: string,
  { failed = false, limit = 50, cursor }: WebhookAttemptsQuery,
): Promise<WebhookAttempts> {
  const rows = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .$if(failed, (all) => all.where('error', 'is not', null))
    .$if(cursor !== undefined, (all) => all.where('id', '<', readCursor(cursor!, ['number'])[0]))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    attempts: page.map(toAttempt),
    nextCursor: rows.length > limit ? writeCursor([page.at(-1)!.id]) : null,
  }
}

const toAttempt = (row: Selectable<WebhookAttemptsTable>): WebhookAttempt => ({
  attemptId: row.id,
  type: row.type,
  clientId: row.client_id,
  eventId: row.event_id,
  attemptedAt: row.attempted_at.toISOString(),
  milliseconds: row.milliseconds,
  status: row.status,
  error: row.error,
  reason: row.reason,
  answer: row.answer,
})

/** Two weeks of them, and of one webhook not more than anybody reads. */
export async function forgetOldWebhookAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('webhook_attempts')
    .where('attempted_at', '<', sql<Date>`now() - interval '14 days'`)
    .execute()
  await sql`
    delete from webhook_attempts using (
      select webhooks.id as webhook_id, (select id from webhook_attempts where webhook_id = webhooks.id
        order by id desc offset ${mostKept} limit 1) as oldest from webhooks) kept
    where webhook_attempts.webhook_id = kept.webhook_id and webhook_attempts.id <= kept.oldest`.execute(db)
}
