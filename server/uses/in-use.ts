import { sql } from 'kysely'
import { holdingStatuses, type Use } from '../../contract/references.ts'
import type { Trx } from '../db/database.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { holdersOf, pinnedBy } from './use.ts'

/**
 * Refuses to trash what a scheduled or running use holds. To be asked while the assets are locked: whoever records
 * a use locks its assets too, so either comes after the other.
 */
export async function refuseInUse(trx: Trx, library: Library, assetIds: string[]): Promise<void> {
  const uses = await holdersOf(trx, library, assetIds)
  if (uses.length > 0) throw inUse(uses)
}

/** The same for a version that a use has pinned, by whatever name. */
export async function refusePinned(trx: Trx, library: Library, assetRefs: string[]): Promise<void> {
  const uses = await pinnedBy(trx, library, assetRefs)
  if (uses.length > 0) throw inUse(uses)
}

/** Those of the assets that a scheduled or running use holds; to be asked while they are locked, too. */
export async function inUseAmong(trx: Trx, library: Library, assetIds: string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('use_refs')
    .innerJoin('uses', (join) =>
      join
        .onRef('uses.client_id', '=', 'use_refs.client_id')
        .onRef('uses.kind', '=', 'use_refs.kind')
        .onRef('uses.external_id', '=', 'use_refs.external_id'),
    )
    .select('use_refs.asset_id')
    .where('use_refs.client_id', '=', library.clientId)
    .where(sql<boolean>`use_refs.asset_id = any(${assetIds}::text[])`)
    .where('uses.status', 'in', holdingStatuses)
    .execute()
  return new Set(rows.map(({ asset_id }) => asset_id!))
}

function inUse(uses: Use[]): Problem {
  const [first] = uses
  const named = `the ${first!.kind} ${first!.title ?? first!.externalId} (${first!.status})`
  const others = uses.length > 1 ? ` and ${uses.length - 1} more` : ''
  return new Problem(
    'in-use',
    `It is held by ${named}${others}. Cancel these uses or swap in another asset first.`,
    { extra: { uses } },
  )
}
