import { createHash } from 'node:crypto'
import { type AssetRow, assetRow, originalKey, type VersionRow, versionRow } from '../assets/asset.ts'
import { filenameOf } from '../assets/filenames.ts'
import type { FileAnswer } from '../file-answers.ts'
import type { Library } from '../library.ts'
import { fitTo } from '../media/fit.ts'
import type { Recipe } from '../media/recipe.ts'
import { targetById } from '../media/targets/targets.ts'
import type { MediaType } from '../media/true-type.ts'
import { notFound, Problem } from '../problems.ts'
import { derivedFile } from './derived.ts'
import { factsOf } from './fits.ts'
import { derivedAnswer, sourceOf } from './preview.ts'

/** The file that a target would be sent. */
export async function renditionFile(
  library: Library,
  assetId: string,
  targetId: string,
): Promise<FileAnswer> {
  const target = targetById(targetId)
  if (!target) throw notFound('No target')
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const fit = fitTo(factsOf(version, asset), target)
  if (fit.fits === 'refused') throw refused(fit.reasons)
  return sentFile(library, asset, version, fit.fits === 'convert' ? fit.recipe : undefined)
}

/** One version as it goes out: the original where it is taken as it is, else the one made by this recipe. */
export async function sentFile(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
  recipe: Recipe | undefined,
): Promise<FileAnswer> {
  if (!recipe)
    return {
      sizeBytes: version.size_bytes,
      mimeType: version.mime_type,
      etag: `"${version.upload_id}"`,
      filename: filenameOf(asset.title, version.mime_type),
      disposition: 'attachment',
      open: (range) => library.storage.read(originalKey(version), range),
    }
  const file = await derivedFile(library, version, renditionName(recipe), async () => {
    const made = await library.media.rendition(
      sourceOf(library, version),
      version.mime_type as Exclude<MediaType, 'video/mp4'>,
      recipe,
    )
    if ('refused' in made) throw refused([made.refused])
    return made
  })
  return {
    ...derivedAnswer(library, version, file, asset.title),
    filename: filenameOf(asset.title, file.mimeType),
    disposition: 'attachment',
  }
}

/** The same recipe gives the same name, whichever target it is for. */
export const renditionName = (recipe: Recipe) =>
  `rendition-${createHash('sha256')
    .update(JSON.stringify(Object.entries(recipe).sort()))
    .digest('hex')
    .slice(0, 24)}`

const refused = (reasons: string[]) => new Problem('target-refuses', reasons.join(' '))
