import type { FitReason } from '../../contract/fit-reasons.ts'
import type { RefRefusal, RefusalCode } from '../../contract/references.ts'
import type { Surface } from '../../contract/words.ts'
import type { AssetRow, VersionRow } from '../assets/asset.ts'
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
  /** With `rights-expired`: where it is live. */
  uses?: RefRefusal['uses']
  deliveries?: RefRefusal['deliveries']
}

/** Why an asset may not be used on a surface, whatever its format; undefined when it may. */
export function refusedOn(
  surface: Surface,
  asset: AssetRow,
  version: Pick<VersionRow, 'media_problem'>,
): Refusal | undefined {
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
  if (expiry && expiry <= new Date())
    return refusal(
      'rights-expired',
      `The rights to the asset ended on ${expiry.toISOString().slice(0, 10)}.`,
      'Choose another asset and swap it in where this one is used, or set a later rightsExpireAt once the rights are renewed.',
    )
  if (unwanted && provenance !== 'unknown' && unwanted.origins.includes(provenance))
    return refusal(
      'provenance-not-allowed',
      `The asset is marked as ${provenance}. ${unwanted.reason}`,
      `Choose an asset with the provenance camera for ${surface}.`,
    )
  if (version.media_problem !== null)
    return refusal(
      'media-failed',
      `The file cannot be used: ${version.media_problem}`,
      'Choose another asset, or have the file replaced by a readable one.',
    )
  return undefined
}

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
