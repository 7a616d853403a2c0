import { type RawBuilder, sql } from 'kysely'
import type { AuditAction, PrincipalKind } from '../../contract/audit.ts'
import type { Reader } from '../db/database.ts'

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

export const record = (db: Reader, principal: Principal, entry: AuditEntry) =>
  writingEntries(principal, [entry]).execute(db)
