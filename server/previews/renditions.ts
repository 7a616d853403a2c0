import { createHash } from 'node:crypto'
import { assetRow, originalKey, versionRow } from '../assets/asset.ts'
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

/** The file that a target would be sent: the original where it is taken as it is, else one made by the target's recipe. */
export async function renditionFile(
  library: Library,
  assetId: string,
  targetId: string,
): Promise<FileAnswer> {
  const target = targetById(targetId)
  if (!target) throw notFound('No target')
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const fit = fitTo(factsOf(asset), target)
  if (fit.fits === 'refused') throw refused(fit.reasons)
  if (fit.fits === 'as-is')
    return {
      sizeBytes: version.size_bytes,
      mimeType: version.mime_type,
      etag: `"${version.upload_id}"`,
      filename: filenameOf(asset.title, version.mime_type),
      disposition: 'attachment',
      open: (range) => library.storage.read(originalKey(version), range),
    }
  const { recipe } = fit
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
    ...derivedAnswer(library, version, file, asset.title, false),
    filename: filenameOf(asset.title, file.mimeType),
    disposition: 'attachment',
  }
}

/** The same recipe gives the same name, whichever target it is for. */
const renditionName = (recipe: Recipe) =>
  `rendition-${createHash('sha256')
    .update(JSON.stringify(Object.entries(recipe).sort()))
    .digest('hex')
    .slice(0, 24)}`

const refused = (reasons: string[]) => new Problem('target-refuses', reasons.join(' '))
