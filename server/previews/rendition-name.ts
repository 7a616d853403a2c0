import { createHash } from 'node:crypto'
import type { FilmRange } from '../../contract/film-range.ts'
import type { Library } from '../library.ts'
import type { FilmRecipe } from '../publishing/film-recipe.ts'
import type { Recipe } from '../publishing/recipe.ts'

/** The same recipe gives the same name, whichever target it is for. */
export const renditionName = (recipe: Recipe | FilmRecipe) =>
  `rendition-${createHash('sha256')
    .update(JSON.stringify(Object.entries(recipe).sort(), inOneOrder))
    .digest('hex')
    .slice(0, 24)}`

/** What one certificate signed is not sent once another is set, nor when it has expired. */
export async function signedName({ media }: Pick<Library, 'media'>, name: string): Promise<string> {
  const mark = await media.signatureMark()
  return mark ? `${name}-${mark}` : name
}

/** A recipe that the database has kept comes back with its names in another order. */
const inOneOrder = (_: string, value: unknown) =>
  isRange(value) ? [value.startSeconds, value.endSeconds] : value

const isRange = (value: unknown): value is FilmRange =>
  typeof value === 'object' && value !== null && 'startSeconds' in value
