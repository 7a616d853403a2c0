import type { FitReason } from '../../contract/fit-reasons.ts'
import type { RefRefusal, RefusalCode } from '../../contract/references.ts'
import type { Surface } from '../../contract/words.ts'
import { lacksApproval } from '../assets/approval.ts'
import type { AssetRow, VersionRow } from '../assets/asset.ts'
import { pinnedRef } from '../assets/ref.ts'
import { rightsHaveEnded } from '../assets/rights.ts'
import { originOf } from '../publishing/origin.ts'
import { anyOf } from '../publishing/targets.ts'

export interface Refusal {
  ok: false
  code: RefusalCode
  /** What is in the way. */
  detail: string
  /** What the caller can do about it. */
  fix: string
  /** With `target-refuses`: the reasons as codes. */
  why?: FitReason[]
  /** With `not-approved`: what whoever asked for changes wrote. A stranger's words, so no part of `detail`. */
  reviewNote?: string
  /** With `rights-expired`: where it is live. */
  uses?: RefRefusal['uses']
  deliveries?: RefRefusal['deliveries']
}

export interface Found {
  asset: AssetRow
  version: VersionRow
  /** Where its client wants only what is approved. */
  approvedOnly: Surface[]
}

/** Why an asset may not be used on a surface, whatever its format; undefined when it may. */
export function refusedOn(surface: Surface, { asset, version, approvedOnly }: Found): Refusal | undefined {
  const { allowed_surfaces: allowed, rights_expire_at: expiry, provenance } = asset
  const unwanted = anyOf[surface].refusesOrigins
  if (asset.trashed_at)
    return refusal(
      'trashed',
      'The asset is in the trash.',
      'Choose another asset, or have this one restored first.',
    )
  if (allowed.length > 0 && !allowed.includes(surface))
    return refusal(
      'surface-not-allowed',
      `The asset may be used on ${allowed.join(' and ')} only, not on ${surface}.`,
      `Choose an asset that is allowed on ${surface} (list with surface=${surface}), or ask for ${surface} to be added to its allowedSurfaces.`,
    )
  if (rightsHaveEnded(asset))
    return refusal(
      'rights-expired',
      `The rights to the asset ended on ${expiry!.toISOString().slice(0, 10)}.`,
      'Choose another asset and swap it in where this one is used, or set a later rightsExpireAt once the rights are renewed.',
    )
  const origin = originOf(provenance, version.evidence)
  if (unwanted && origin && unwanted.origins.includes(origin))
    return refusal(
      'provenance-not-allowed',
      `${origin === provenance ? 'The asset is marked as' : 'The file itself says that it is'} ${origin}. ${unwanted.reason}`,
      `Choose an asset with the provenance camera for ${surface}.`,
    )
  if (lacksApproval(approvedOnly, surface, version)) return notApproved(surface, version)
  if (version.media_problem !== null)
    return refusal(
      'media-failed',
      `The file cannot be used: ${version.media_problem}`,
      'Choose another asset, or have the file replaced by a readable one.',
    )
  return undefined
}

const notApproved = (
  surface: Surface,
  { asset_id, version, approval, approval_note: note }: VersionRow,
): Refusal => ({
  ...refusal(
    'not-approved',
    approval === 'changes-requested'
      ? `Changes were requested for ${pinnedRef(asset_id, version)}.`
      : `${pinnedRef(asset_id, version)} is not approved, and on ${surface} this client wants only what is.`,
    approval === 'pending'
      ? 'Choose an approved asset (list with approval=approved), or wait until a person has approved this one.'
      : `Choose an approved asset (list with approval=approved), or ${approval === 'none' ? '' : 'have the file replaced and '}ask people to approve this one (request_review, or POST …/reviews).`,
  ),
  ...(approval === 'changes-requested' && note && { reviewNote: note }),
})

export const refNotFound = (assetRef: string): Refusal =>
  refusal(
    'not-found',
    `No asset of this client was found under ${JSON.stringify(assetRef)}.`,
    'Search the library for the asset and use the assetRef it answers with.',
  )

export const refusal = (code: RefusalCode, detail: string, fix: string): Refusal => ({
  ok: false,
  code,
  detail,
  fix,
})
