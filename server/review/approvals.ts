import type { Decided, Decision, ReviewAsked, ReviewRequest } from '../../contract/review.ts'
import { guestName, toApproval, versionWithApprover, writeApproval } from '../assets/approval.ts'
import { type AssetRow, toAsset, versionIfThere } from '../assets/asset.ts'
import { heldRow, heldRows, writeRows } from '../assets/assets.ts'
import { tidyText } from '../assets/wording.ts'
import { isId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'

/**
 * Says yes or no to one version, and to no other: whoever looked at a file that was replaced meanwhile has not
 * decided on the new one.
 */
export const decide = (library: Library, assetId: string, input: Decision): Promise<Decided> =>
  change(library, async (its) => {
    const asset = await heldRow(its, library, assetId)
    if (asset.trashed_at) throw notFound('No asset outside the trash')
    const { version, decision, seen } = input
    const note = tidy(input.note)
    const before = await versionIfThere(its.trx, library, asset.id, version)
    if (!before) throw notFound('No such version')
    const isSaid =
      before.approval === decision &&
      before.approval_by === library.caller.id &&
      before.approval_guest === guestName(library) &&
      before.approval_note === note
    if (isSaid) return answer(its, library, asset, version)
    if (seen && seen !== before.approval) throw decidedMeanwhile()

    await writeApproval(its, library, [{ id: asset.id, version }], decision, note)
    const approval = version === asset.version ? decision : asset.approval
    const type = decision === 'pending' ? 'review.withdrawn' : (`review.${decision}` as const)
    const [row] = await writeRows(its, library, [asset.id], { approval }, { type, version, note })
    return answer(its, library, row!, version)
  })

/** Asks people what they say of the current versions. All of the assets have to be there, or nobody is asked. */
export const requestReview = (library: Library, { assetIds, note }: ReviewRequest): Promise<ReviewAsked> =>
  changeOnce(library, async (its) => {
    const rows = (await heldRows(its, library, assetIds)).filter(({ trashed_at }) => !trashed_at)
    if (rows.length < assetIds.length || !assetIds.every((id) => isId('asset', id)))
      throw notFound('No asset')
    const open = rows.filter(({ approval }) => approval !== 'approved' && approval !== 'pending')
    const asked = open.map(({ id }) => id)
    const words = tidy(note)
    await writeApproval(its, library, open, 'pending', words)
    await writeRows(its, library, asked, { approval: 'pending' }, ({ version }) => ({
      type: 'review.requested',
      version,
      note: words,
    }))
    return { assetIds: asked }
  })

const decidedMeanwhile = () =>
  new Problem('changed-meanwhile', 'Somebody else has decided meanwhile. Look at what they say first.')

const tidy = (note = '') => tidyText(note).trim()

async function answer(its: Change, library: Library, row: AssetRow, version: number): Promise<Decided> {
  const decided = await versionWithApprover(its.trx, library, row.id, version)
  return { version, approval: toApproval(decided), asset: toAsset(row) }
}
