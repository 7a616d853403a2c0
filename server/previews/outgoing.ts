import { pipeline } from 'node:stream'
import { isFilm, type StillType } from '../../contract/media-types.ts'
import { type AssetRow, originalKey, type VersionRow } from '../assets/asset.ts'
import { filenameOf } from '../assets/filenames.ts'
import type { FileAnswer } from '../http/file-answers.ts'
import type { Library } from '../library.ts'
import { type Blot, filmNotes, writeOver } from '../media/films/film-notes.ts'
import type { PictureType } from '../media/pictures/completeness.ts'
import { carriedOf, packetOf } from '../media/provenance/kept-marks.ts'
import { isFilmRecipe } from '../publishing/film-recipe.ts'
import type { Recipe } from '../publishing/recipe.ts'
import { makeRendition } from '../publishing/rendition.ts'
import type { Fit } from '../publishing/verdict.ts'
import { derivedFile } from './derived.ts'
import { filmRendition } from './film-renditions.ts'
import { derivedAnswer, sourceOf } from './preview.ts'
import { renditionName, signedName } from './rendition-name.ts'
import { targetRefuses } from './target-refuses.ts'

/** What leaves: the picture or film itself, or what a recipe makes of it. Never the file that was uploaded. */
export type Sending = Exclude<Fit, { fits: 'refused' }>

/** The form in which a version is sent, as the ledger names it. */
export const outgoingForm = (sending: Sending): string =>
  sending.fits === 'convert' ? renditionName(sending.recipe) : 'original'

/** What is kept beside a promise, so that it is made as it was promised. */
export const promiseOf = (sending: Sending): string | null =>
  sending.fits === 'convert' ? JSON.stringify(sending.recipe) : null

/** The file as it is sent, whoever takes it: a person, an agent, or a target. */
export async function outgoingFile(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
  sending: Sending,
): Promise<FileAnswer> {
  if (sending.fits === 'as-is' && isFilm(version.mime_type)) return filmWithoutNotes(library, asset, version)
  const file =
    sending.fits === 'as-is'
      ? await barePicture(library, version)
      : isFilmRecipe(sending.recipe)
        ? await filmRendition(library, version, sending.recipe)
        : await rendition(library, version, sending.recipe)
  return {
    ...derivedAnswer(library, version, file, asset.title),
    filename: filenameOf(asset.title, file.mimeType),
    disposition: 'attachment',
  }
}

export const rendition = async (library: Library, version: VersionRow, recipe: Recipe) =>
  derivedFile(library, version, await signedName(library, renditionName(recipe)), async () => {
    const picture = {
      source: sourceOf(library, version),
      mimeType: version.mime_type as StillType,
      width: version.width!,
      height: version.height!,
      packet: packetOf(version.evidence),
      carried: carriedOf(version.evidence),
    }
    const made = await makeRendition(library.media, picture, recipe)
    if ('refused' in made) throw targetRefuses([made.refused])
    return made
  })

/** The same pixels, bit for bit, and nothing of what the camera or its owner wrote beside them but what must stay. */
export const barePicture = async (library: Library, version: VersionRow) =>
  derivedFile(library, version, await signedName(library, 'bare'), async () => ({
    bytes: await library.media.bare(
      sourceOf(library, version),
      version.mime_type as PictureType,
      packetOf(version.evidence),
      carriedOf(version.evidence),
    ),
    mimeType: version.mime_type,
    width: version.width ?? 0,
    height: version.height ?? 0,
  }))

/** A film as it was uploaded, without what it says beside its pictures and sound; refused where that cannot be had. */
export async function filmWithoutNotes(
  library: Library,
  asset: AssetRow,
  version: VersionRow,
): Promise<FileAnswer> {
  const notes = await notesOf(library, version)
  if (!notes) throw targetRefuses([notesInFilm])
  return {
    sizeBytes: version.size_bytes,
    mimeType: version.mime_type,
    etag: `"${version.upload_id}-without-notes"`,
    filename: filenameOf(asset.title, version.mime_type),
    disposition: 'attachment',
    open: async (range) =>
      pipeline(
        await library.storage.read(originalKey(version), range),
        writeOver(notes, range?.start ?? 0),
        () => {},
      ),
  }
}

/** Where a film says more than it shows; a version never changes, so what was found once stays true. */
export async function notesOf(library: Library, version: VersionRow): Promise<Blot[] | undefined> {
  const packet = packetOf(version.evidence)
  const key = `${library.clientId}/${originalKey(version)}/${packet ?? ''}`
  const known = recent.get(key)
  if (known) return known
  const found = await filmNotes(sourceOf(library, version), packet)
  if (found && found.length < 1000) {
    recent.set(key, found)
    if (recent.size > 200) recent.delete(recent.keys().next().value!)
  }
  return found
}

const recent = new Map<string, Blot[]>()

const notesInFilm =
  'The film says in a way that cannot be taken out where or how it was taken, and that must not leave. Export it again as MP4, and replace the file.'
