import type { Fits } from '../../contract/assets.ts'
import { isFilm, type MediaType } from '../../contract/media-types.ts'
import { type Area, asArea } from '../../contract/ratios.ts'
import type { Surface } from '../../contract/words.ts'
import { approvedOnlySurfaces, lacksApproval } from '../assets/approval.ts'
import { type AssetRow, assetRow, type VersionRow, versionRow } from '../assets/asset.ts'
import { rightsHaveEnded } from '../assets/rights.ts'
import type { Library } from '../library.ts'
import { indexIsFirst } from '../media/films/film-index.ts'
import { Problem } from '../problems.ts'
import { disclosureOf } from '../publishing/disclosure.ts'
import { isFilmRecipe, mustEncode } from '../publishing/film-recipe.ts'
import { fitTo, hangsOnBytes, type Wanted } from '../publishing/fit.ts'
import { repacked } from '../publishing/fit-film.ts'
import { originOf } from '../publishing/origin.ts'
import { cutFor } from '../publishing/recipe.ts'
import type { Target } from '../publishing/target.ts'
import { targets } from '../publishing/targets.ts'
import { type AssetFacts, because, type Fit, refused } from '../publishing/verdict.ts'
import { noEncoder } from './film-renditions.ts'
import { barePicture, notesOf, rendition } from './outgoing.ts'
import { sourceOf } from './preview.ts'

/** What each target system would do with the asset: take it, take a converted one, or refuse it. */
export async function assetFits(library: Library, assetId: string): Promise<Fits> {
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const approvedOnly = await approvedOnlySurfaces(library.db, library)
  const fits = []
  for (const target of targets) {
    const { surface, id, name } = target
    const fit = rightsHaveEnded(asset)
      ? rightsExpired
      : lacksApproval(approvedOnly, surface, version)
        ? notApproved(surface)
        : await fitOf(library, asset, version, target)
    const { fits: verdict, reasons, why } = fit
    const { provenance } = asset
    const { evidence, mime_type: mimeType } = version
    const { disclosureRules: _, ...disclosure } = disclosureOf({ provenance, evidence, mimeType }, target)
    fits.push({ surface, target: id, name, verdict, reasons, why, crop: cropOf(version, fit), ...disclosure })
  }
  return { fits }
}

const rightsExpired = refused([because('rights-expired', 'The rights to the asset have ended.')])

export const notApproved = (surface: Surface): Fit =>
  refused([because('not-approved', `Only what is approved may be used on ${surface}.`, { surface })])

/** What of the picture is sent; nothing where it is refused. */
function cropOf({ width, height }: VersionRow, fit: Fit): Area | null {
  if (fit.fits === 'refused') return null
  if (fit.fits === 'as-is' || isFilmRecipe(fit.recipe) || !width || !height)
    return { x: 0, y: 0, width: 1, height: 1 }
  return asArea({ width, height }, cutFor({ width, height }, fit.recipe))
}

/** What will be sent to a target, and nothing else: where only the making can tell, it is made. */
export async function fitOf(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
  target: Target,
  wanted: Wanted = {},
): Promise<Fit> {
  const { surface } = target
  if (asset.allowed_surfaces.length > 0 && !asset.allowed_surfaces.includes(surface))
    return refused([because('surface-not-allowed', `The asset is not allowed on ${surface}.`, { surface })])
  const facts = factsOf(version, asset)
  const fit = fitTo(facts, target, wanted)
  try {
    if (isFilm(facts.mimeType)) return await filmFit(library, version, facts, fit, target)
    return hangsOnBytes(facts, fit, target)
      ? await madeFit(library, version, facts, fit, target, wanted)
      : fit
  } catch (error) {
    if (!(error instanceof Problem && verdicts.includes(error.code))) throw error
    return refused([because('other', `${target.name}: ${error.message}`)])
  }
}

/** On the file itself; with anything else it may go better next time. */
const verdicts: string[] = ['target-refuses', 'unreadable-media', 'too-many-pixels', 'object-missing']

/** What only a look at the film itself, or at this machine, can tell. */
async function filmFit(
  library: Library,
  version: VersionRow,
  facts: AssetFacts,
  expected: Fit,
  target: Target,
): Promise<Fit> {
  const why = expected.fits === 'as-is' ? await whyRepacked(library, version, target) : undefined
  const fit = why ? repacked(facts, target, why) : expected
  const needsEncoder = fit.fits === 'convert' && isFilmRecipe(fit.recipe) && mustEncode(fit.recipe)
  if (!needsEncoder || (await library.media.capabilities()).encoder !== 'none') return fit
  return refused([...whyConverted(fit), because('no-encoder', noEncoder)])
}

const whyConverted = ({ why }: Fit) =>
  why.filter(({ code }) => code !== 'film-converted' && code !== 'cut-out')

async function whyRepacked(library: Library, version: VersionRow, { name, video }: Target) {
  if (!(await notesOf(library, version)))
    return because('notes-in-film', 'What the camera wrote into the film does not go out.')
  if (video.indexFirst && !(await indexIsFirst(sourceOf(library, version))))
    return because('index-last', `${name} wants the index of a film at its beginning.`, { target: name })
  return undefined
}

async function madeFit(
  library: Library,
  version: VersionRow,
  facts: AssetFacts,
  expected: Fit,
  target: Target,
  wanted: Wanted,
): Promise<Fit> {
  const fit =
    expected.fits === 'as-is'
      ? fitTo({ ...facts, sizeBytes: (await barePicture(library, version)).sizeBytes }, target, wanted)
      : expected
  if (fit.fits !== 'convert' || isFilmRecipe(fit.recipe)) return fit
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
  | 'evidence'
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
  origin: originOf(provenance, file.evidence),
})
