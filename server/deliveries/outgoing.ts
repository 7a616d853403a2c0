import { pipeline } from 'node:stream'
import type { MimeType } from '../../contract/words.ts'
import type { FileAnswer } from '../file-answers.ts'
import type { Library } from '../library.ts'
import { filmNotes, writeOver } from '../media/film-notes.ts'
import type { Recipe } from '../media/recipe.ts'
import { sourceOf } from '../previews/preview.ts'
import { renditionName, sentFile } from '../previews/renditions.ts'
import { Problem } from '../problems.ts'
import type { Resolved } from '../references/resolve.ts'

/** Where even what a target takes as it is, is made anew: what the camera wrote into the file stays here. */
const sameFormat: Partial<Record<MimeType, Recipe>> = {
  'image/jpeg': { format: 'jpeg', quality: 92 },
  'image/png': { format: 'png' },
  'image/webp': { format: 'webp', quality: 92 },
}

/** The form in which a version leaves the house, as the ledger names it. */
export function outgoingForm(resolved: Resolved): string {
  const recipe = recipeOf(resolved)
  return recipe ? renditionName(recipe) : 'original'
}

/** The file as it leaves the house. */
export async function outgoingFile(library: Library, resolved: Resolved): Promise<FileAnswer> {
  const { asset, version } = resolved
  const file = await sentFile(library, asset, version, recipeOf(resolved))
  if (version.mime_type !== 'video/mp4') return file

  const notes = await filmNotes(sourceOf(library, version))
  if (!notes) throw notesInFilm()
  if (notes.length === 0) return file
  return {
    ...file,
    etag: `"${version.upload_id}-without-notes"`,
    open: async (range) => pipeline(await file.open(range), writeOver(notes, range?.start ?? 0), () => {}),
  }
}

/** A picture that moves would stand still if it were made anew. */
export const isMoving = ({ version }: Resolved) =>
  version.details.isAnimated && version.mime_type !== 'video/mp4'

function recipeOf(resolved: Resolved): Recipe | undefined {
  const { rendition, version } = resolved
  if (rendition.as === 'rendition') return rendition.recipe
  return isMoving(resolved) ? undefined : sameFormat[version.mime_type as MimeType]
}

const notesInFilm = () =>
  new Problem(
    'target-refuses',
    'The film carries a track that says where or how it was taken, and that must not leave. Export it without that track, and replace the file.',
  )
