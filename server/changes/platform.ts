import type { Db, Trx } from '../db/database.ts'
import { type Deed, type Principal, writingDeeds } from './audit-trail.ts'
import { type OnceKey, once } from './idempotency.ts'

export interface PlatformChange {
  trx: Trx
  /** Adds to the audit trail; it is kept if and only if the change is committed. */
  note(deed: Deed): void
}

/**
 * The only way to write what belongs to no library, such as users and keys: one transaction that ends with who did
 * it. Asked for twice under one Idempotency-Key, it is done once.
 */
export function changePlatform<T>(
  db: Db,
  principal: Principal,
  work: (its: PlatformChange) => Promise<T>,
  onceKey?: OnceKey,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const deeds: Deed[] = []
    const result = await once(trx, onceKey, () => work({ trx, note: (deed) => deeds.push(deed) }))
    if (deeds.length > 0) await writingDeeds(principal, deeds).execute(trx)
    return result
  })
}
