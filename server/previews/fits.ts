import type { Fit, Fits } from '../../contract/assets.ts'
import type { Surface } from '../../contract/words.ts'
import { type AssetRow, assetRow, type VersionRow } from '../assets/asset.ts'
import type { Library } from '../library.ts'
import { type AssetFacts, because, fitTo } from '../media/fit.ts'
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
      reasons: [notAllowed(surface).detail],
      why: [notAllowed(surface)],
    }
  const { fits, reasons, why } = fitTo(factsOf(asset, asset), target)
  return { surface, target: id, name, verdict: fits, reasons, why }
}

const notAllowed = (surface: Surface) =>
  because('surface-not-allowed', `The asset is not allowed on ${surface}.`, { surface })

type FileRow = Pick<
  AssetRow & VersionRow,
  'mime_type' | 'width' | 'height' | 'duration_seconds' | 'size_bytes' | 'details'
>

/** What a target looks at: the file of one version, and where the asset comes from. */
export const factsOf = (file: FileRow, { provenance }: Pick<AssetRow, 'provenance'>): AssetFacts => ({
  mimeType: file.mime_type as MediaType,
  width: file.width ?? 0,
  height: file.height ?? 0,
  durationSeconds: file.duration_seconds,
  sizeBytes: file.size_bytes,
  frameRate: file.details.frameRate,
  colourSpace: file.details.colourSpace,
  hasAlpha: file.details.hasAlpha,
  capturedAt: file.details.capturedAt,
  hasGps: file.details.hasGps,
  origin: provenance === 'unknown' ? null : provenance,
})
