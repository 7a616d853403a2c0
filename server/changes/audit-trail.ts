import { type RawBuilder, sql } from 'kysely'
import type { AuditAction, PrincipalKind } from '../../contract/audit.ts'
import type { Reader, Trx } from '../db/database.ts'

/** Where a request came from. */
export interface Origin {
  address: string
  userAgent: string | null
  requestId: string
}

/** Who did it: a caller, or nobody in particular. */
export interface Principal {
  kind: PrincipalKind
  id: string | null
  name: string | null
  /** Null for what no request asked for. */
  origin: Origin | null
}

/** Something done, as the audit trail keeps it. No secret belongs in one. */
export interface AuditEntry {
  action: AuditAction
  thing: string | null
  clientId?: string | null
  /** What the thing is called. */
  name?: string | null
  details?: Record<string, unknown>
}

/** The statement that adds to the audit trail; it runs in the transaction of what was done. */
export const writingEntries = (
  { kind, id, name, origin }: Principal,
  entries: AuditEntry[],
): RawBuilder<unknown> => sql`
  insert into audit_trail (client_id, action, thing, name, details,
    principal_kind, principal_id, principal_name, address, user_agent, request_id)
  select entry."clientId", entry.action, entry.thing, entry.name, coalesce(entry.details, '{}'),
    ${kind}, ${id}, ${name}, ${origin?.address ?? null}, ${origin?.userAgent ?? null}, ${origin?.requestId ?? null}
  from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
    as entry ("clientId" text, action text, thing text, name text, details jsonb)`

/** Of users and keys that go: entries stay under an id that leads to nobody any more. */
export async function forgetPrincipals(trx: Trx, ids: string[]): Promise<void> {
  const these = sql`any(${ids}::text[])`
  await sql`update audit_trail set principal_name = null, address = null, user_agent = null
    where principal_id = ${these}`.execute(trx)
  await sql`update audit_trail set name = null, details = '{}' where thing = ${these}`.execute(trx)
  await sql`update audit_trail set address = null, user_agent = null
    where thing = ${these} and action like 'login.%'`.execute(trx)
}

/** What was done for a client stays, without what its things were called and who its guests were. */
export const forgetClient = (trx: Trx, clientId: string) =>
  sql`update audit_trail set name = null, details = '{}',
    principal_name = case when principal_kind <> 'nobody' then principal_name end,
    address = case when principal_kind <> 'nobody' then address end,
    user_agent = case when principal_kind <> 'nobody' then user_agent end
    where client_id = ${clientId}`.execute(trx)

export const record = (db: Reader, principal: Principal, entry: AuditEntry) =>
  writingEntries(principal, [entry]).execute(db)

/** How much somebody did of these kinds (`comment`, `review`) in the last hour. */
export async function doneInHour(db: Reader, principalId: string, kinds: string[]): Promise<number> {
  const { rows } = await sql<{ done: number }>`
    select count(*) as done from audit_trail where principal_id = ${principalId} and at > now() - interval '1 hour'
      and split_part(action, '.', 1) = any(${kinds}::text[])`.execute(db)
  return rows[0]!.done
}
