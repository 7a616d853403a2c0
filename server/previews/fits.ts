import type { Fits } from '../../contract/assets.ts'
import { isFilm, type MediaType } from '../../contract/media-types.ts'
import { type AssetRow, assetRow, type VersionRow, versionRow } from '../assets/asset.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type AssetFacts, because, type Fit, fitTo, hangsOnBytes, refused } from '../publishing/fit.ts'
import { type Target, targets } from '../publishing/targets/targets.ts'
import { barePicture, notesInFilm, notesOf, rendition } from './outgoing.ts'

/** What each target system would do with the asset: take it, take a converted one, or refuse it. */
export async function assetFits(library: Library, assetId: string): Promise<Fits> {
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const fits = []
  for (const target of targets) {
    const { surface, id, name } = target
    const { fits: verdict, reasons, why } = await fitOf(library, asset, version, target)
    fits.push({ surface, target: id, name, verdict, reasons, why })
  }
  return { fits }
}

/** What will be sent to a target, and nothing else: where only the making can tell, it is made. */
export async function fitOf(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
  target: Target,
): Promise<Fit> {
  const { surface } = target
  if (asset.allowed_surfaces.length > 0 && !asset.allowed_surfaces.includes(surface))
    return refused([because('surface-not-allowed', `The asset is not allowed on ${surface}.`, { surface })])
  const facts = factsOf(version, asset)
  const fit = fitTo(facts, target)
  try {
    if (isFilm(facts.mimeType)) return await filmFit(library, version, fit)
    return hangsOnBytes(facts, fit, target) ? await madeFit(library, version, facts, fit, target) : fit
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
): Promise<Fit> {
  const fit =
    expected.fits === 'as-is'
      ? fitTo({ ...facts, sizeBytes: (await barePicture(library, version)).sizeBytes }, target)
      : expected
  if (fit.fits !== 'convert') return fit
  const { width, height } = await rendition(library, version, fit.recipe)
  return { ...fit, size: { width, height } }
}

type FileRow = Pick<
  AssetRow & VersionRow,
  'mime_type' | 'width' | 'height' | 'duration_seconds' | 'size_bytes' | 'details'
>

/** What a target looks at: the file of one version, and where the asset comes from. */
const factsOf = (file: FileRow, { provenance }: Pick<AssetRow, 'provenance'>): AssetFacts => ({
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
  origin: provenance === 'unknown' ? null : provenance,
})
