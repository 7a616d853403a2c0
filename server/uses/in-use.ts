import type { Use } from '../../contract/references.ts'
import type { Trx } from '../db/database.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { holdersOf } from './use.ts'

/**
 * Refuses to trash what a scheduled or running use holds. To be asked while the assets are locked: whoever records
 * a use locks its assets too, so either comes after the other.
 */
export async function refuseInUse(trx: Trx, library: Library, assetIds: string[]): Promise<void> {
  const uses = await holdersOf(trx, library, assetIds)
  if (uses.length > 0) throw inUse(uses)
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
