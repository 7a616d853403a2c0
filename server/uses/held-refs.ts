import { type RawBuilder, sql } from 'kysely'
import { openStatuses, type UseKind } from '../../contract/references.ts'
import type { Trx } from '../db/database.ts'
import type { Library } from '../library.ts'

export interface HeldRef {
  kind: UseKind
  external_id: string
  place: number
  asset_ref: string
}

/** Those refs of uses that go on; the uses are locked in one order. */
export async function heldRefs(
  trx: Trx,
  { clientId }: Library,
  which: RawBuilder<unknown>,
): Promise<HeldRef[]> {
  const { rows } = await sql<HeldRef>`
    select r.kind, r.external_id, r.place, r.asset_ref from uses join use_refs r on r.client_id = uses.client_id
      and r.kind = uses.kind and r.external_id = uses.external_id
    where uses.client_id = ${clientId} and uses.status = any(${openStatuses}::text[]) and ${which}
    order by uses.kind, uses.external_id, r.place for update of uses`.execute(trx)
  return rows
}
