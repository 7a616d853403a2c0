import type { LegalHold } from '../../contract/trash.ts'
import type { AssetRow } from '../assets/asset.ts'
import { heldRow, writeRows } from '../assets/assets.ts'
import { change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'

/**
 * Puts an asset under a legal hold, or lifts it. Whoever removes something for good locks the asset first, as this
 * does: a hold comes before it, or too late.
 */
export const setHold = (library: Library, assetId: string, { held, reason }: LegalHold): Promise<AssetRow> =>
  change(library, async (its) => {
    const before = await heldRow(its, library, assetId)
    const wanted = held ? tidy(reason) : null
    if (before.hold_reason === wanted) return before
    const hold = wanted
      ? { held_at: before.held_at ?? new Date(), held_by: library.caller.id, hold_reason: wanted }
      : { held_at: null, held_by: null, hold_reason: null }
    const [row] = await writeRows(its, library, [before.id], hold, {
      type: 'asset.updated',
      changed: ['hold'],
    })
    return row!
  })

function tidy(reason: string | undefined): string {
  if (reason) return reason.normalize('NFC').trim()
  throw new Problem('invalid-request', 'A legal hold needs its reason.', {
    extra: { errors: [{ path: '/reason', message: 'is needed with held' }] },
  })
}

export function refuseHeld({ title, hold_reason }: Pick<AssetRow, 'title' | 'hold_reason'>): void {
  if (hold_reason === null) return
  throw new Problem(
    'legal-hold',
    'It is under a legal hold. Nothing of it can be removed until an administrator lifts it.',
    { extra: { params: { title, reason: hold_reason } } },
  )
}
