import type { RenditionQuery } from '../../contract/assets.ts'
import { approvedOnlySurfaces, lacksApproval } from '../assets/approval.ts'
import { assetRow, versionRow } from '../assets/asset.ts'
import type { FileAnswer } from '../http/file-answers.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { targetById } from '../publishing/targets.ts'
import { fitOf, notApproved } from './fits.ts'
import { outgoingFile } from './outgoing.ts'
import { targetRefuses } from './target-refuses.ts'

/** The file that a target would be sent. */
export async function renditionFile(
  library: Library,
  assetId: string,
  { target: targetId, ratio }: RenditionQuery,
): Promise<FileAnswer> {
  const target = targetById(targetId)
  if (!target) throw notFound('No target')
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const approvedOnly = await approvedOnlySurfaces(library.db, library)
  const fit = lacksApproval(approvedOnly, target.surface, version)
    ? notApproved(target.surface)
    : await fitOf(library, asset, version, target, { ratio })
  if (fit.fits === 'refused') throw targetRefuses(fit.reasons)
  return outgoingFile(library, asset, version, fit)
}
