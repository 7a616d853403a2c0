import type { Db, Trx } from '../db/database.ts'
import { type AuditEntry, type Principal, writingEntries } from './audit-trail.ts'
import { type IdempotencyKey, idempotently } from './idempotency.ts'

export interface PlatformChange {
  trx: Trx
  /** Adds to the audit trail; it is kept if and only if the change is committed. */
  note(entry: AuditEntry): void
}

/**
 * The only way to write what belongs to no library, such as users and keys: one transaction that ends with who did
 * it. Asked for twice under one Idempotency-Key, it is done once.
 */
export function changePlatform<T>(
  db: Db,
  principal: Principal,
  work: (its: PlatformChange) => Promise<T>,
  idempotencyKey?: IdempotencyKey,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const entries: AuditEntry[] = []
    const result = await idempotently(
      trx,
      idempotencyKey,
      () => work({ trx, note: (entry) => entries.push(entry) }),
      () => entries.find(({ clientId }) => clientId)?.clientId ?? null,
    )
    if (entries.length > 0) await writingEntries(principal, entries).execute(trx)
    return result
  })
}
