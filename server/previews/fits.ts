import type { Fits } from '../../contract/assets.ts'
import { isFilm, type MediaType } from '../../contract/media-types.ts'
import { type Area, asArea, type Ratio } from '../../contract/ratios.ts'
import { type AssetRow, assetRow, type VersionRow, versionRow } from '../assets/asset.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type AssetFacts, because, type Fit, fitTo, hangsOnBytes, refused } from '../publishing/fit.ts'
import { cutFor } from '../publishing/recipe.ts'
import type { Target } from '../publishing/target.ts'
import { targets } from '../publishing/targets.ts'
import { barePicture, notesInFilm, notesOf, rendition } from './outgoing.ts'

/** What each target system would do with the asset: take it, take a converted one, or refuse it. */
export async function assetFits(library: Library, assetId: string): Promise<Fits> {
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const fits = []
  for (const target of targets) {
    const { surface, id, name } = target
    const fit = await fitOf(library, asset, version, target)
    const { fits: verdict, reasons, why } = fit
    fits.push({ surface, target: id, name, verdict, reasons, why, crop: cropOf(version, fit) })
  }
  return { fits }
}

/** What of the picture is sent; nothing where it is refused. */
function cropOf({ width, height }: VersionRow, fit: Fit): Area | null {
  if (fit.fits === 'refused') return null
  if (fit.fits === 'as-is' || !width || !height) return { x: 0, y: 0, width: 1, height: 1 }
  return asArea({ width, height }, cutFor({ width, height }, fit.recipe))
}

/** What will be sent to a target, and nothing else: where only the making can tell, it is made. */
export async function fitOf(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
  target: Target,
  ratio?: Ratio,
): Promise<Fit> {
  const { surface } = target
  if (asset.allowed_surfaces.length > 0 && !asset.allowed_surfaces.includes(surface))
    return refused([because('surface-not-allowed', `The asset is not allowed on ${surface}.`, { surface })])
  const facts = factsOf(version, asset)
  const fit = fitTo(facts, target, ratio)
  try {
    if (isFilm(facts.mimeType)) return await filmFit(library, version, fit)
    return hangsOnBytes(facts, fit, target) ? await madeFit(library, version, facts, fit, target, ratio) : fit
  } catch (error) {
    if (!(error instanceof Problem && verdicts.includes(error.code))) throw error
    return refused([because('other', `${target.name}: ${error.message}`)])
  }
}

/** On the file itself; with anything else it may go better next time. */
const verdicts: string[] = ['target-refuses', 'unreadable-media', 'too-many-pixels', 'object-missing']

async function filmFit(library: Library, version: VersionRow, fit: Fit): Promise<Fit> {
  const leaves = fit.fits === 'refused' || (await notesOf(library, version))
  return leaves ? fit : refused([because('other', notesInFilm)])
}

async function madeFit(
  library: Library,
  version: VersionRow,
  facts: AssetFacts,
  expected: Fit,
  target: Target,
  ratio: Ratio | undefined,
): Promise<Fit> {
  const fit =
    expected.fits === 'as-is'
      ? fitTo({ ...facts, sizeBytes: (await barePicture(library, version)).sizeBytes }, target, ratio)
      : expected
  if (fit.fits !== 'convert') return fit
  const { width, height } = await rendition(library, version, fit.recipe)
  return { ...fit, size: { width, height } }
}

type FileRow = Pick<
  AssetRow & VersionRow,
  | 'mime_type'
  | 'width'
  | 'height'
  | 'duration_seconds'
  | 'size_bytes'
  | 'details'
  | 'focal_guess'
  | 'focal_point'
  | 'crops'
>

/** What a target looks at: the file of one version, and what is said of the asset. */
export const factsOf = (
  file: FileRow,
  { provenance, alt_text: altText }: Pick<AssetRow, 'provenance' | 'alt_text'>,
): AssetFacts => ({
  mimeType: file.mime_type as MediaType,
  width: file.width ?? 0,
  height: file.height ?? 0,
  durationSeconds: file.duration_seconds,
  sizeBytes: file.size_bytes,
  videoCodec: file.details.videoCodec,
  audioCodec: file.details.audioCodec,
  frameRate: file.details.frameRate,
  colourSpace: file.details.colourSpace,
  hasAlpha: file.details.hasAlpha,
  isAnimated: file.details.isAnimated,
  isTurned: file.details.isTurned,
  capturedAt: file.details.capturedAt,
  hasGps: file.details.hasGps,
  focalPoint: file.focal_point ?? file.focal_guess,
  crops: file.crops,
  altText,
  origin: provenance === 'unknown' ? null : provenance,
})
