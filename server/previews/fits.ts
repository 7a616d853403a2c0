import type { Fit, Fits } from '../../contract/assets.ts'
import { type AssetRow, assetRow } from '../assets/asset.ts'
import type { Library } from '../library.ts'
import { type AssetFacts, fitTo } from '../media/fit.ts'
import { type Target, targets } from '../media/targets/targets.ts'
import type { MediaType } from '../media/true-type.ts'

/** What each target system would do with the asset: take it, take a converted one, or refuse it. */
export async function assetFits(library: Library, assetId: string): Promise<Fits> {
  const asset = await assetRow(library.db, library, assetId)
  return { fits: targets.map((target) => fitOf(asset, target)) }
}

function fitOf(asset: AssetRow, target: Target): Fit {
  const { id, name, surface } = target
  const allowed = asset.allowed_surfaces.length === 0 || asset.allowed_surfaces.includes(surface)
  if (!allowed)
    return {
      surface,
      target: id,
      name,
      verdict: 'refused',
      reasons: [`The asset is not allowed on ${surface}.`],
    }
  const { fits, reasons } = fitTo(factsOf(asset), target)
  return { surface, target: id, name, verdict: fits, reasons }
}

export const factsOf = (asset: AssetRow): AssetFacts => ({
  mimeType: asset.mime_type as MediaType,
  width: asset.width ?? 0,
  height: asset.height ?? 0,
  durationSeconds: asset.duration_seconds,
  sizeBytes: asset.size_bytes,
  frameRate: asset.details.frameRate,
  colourSpace: asset.details.colourSpace,
  hasAlpha: asset.details.hasAlpha,
  capturedAt: asset.details.capturedAt,
  hasGps: asset.details.hasGps,
})
