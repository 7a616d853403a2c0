import type { FilmMaking, Media } from '../media/media.ts'
import type { Source } from '../media/pictures/source.ts'
import type { MadeFilm } from '../media/process/film-file.ts'
import type { FilmRecipe } from './film-recipe.ts'
import type { Refused } from './rendition.ts'

/** A film made by a recipe; or why there can be none. Null where it has to be encoded, and nothing here can. */
export async function makeFilmRendition(
  media: Media,
  source: Source,
  recipe: FilmRecipe,
  making: FilmMaking,
): Promise<MadeFilm | Refused | null> {
  const made = await media.film(source, recipe, { ...making, maxBytes: recipe.maxBytes })
  if (!made) return null
  const { maxBytes = Infinity, minBytes = 0, videoBits } = recipe
  if (made.sizeBytes <= maxBytes && made.sizeBytes >= minBytes) return made
  await made[Symbol.asyncDispose]()
  if (made.sizeBytes < minBytes) return { refused: tooFew(minBytes) }
  // Encoders keep to a rate only so far. What is too large is made once more, with as many bits as there is room for.
  const fewer = videoBits && Math.floor(videoBits * (maxBytes / made.sizeBytes) * 0.85)
  if (!fewer || fewer < leastBits) return { refused: tooMany(maxBytes) }
  const { maxBytes: _, ...unbounded } = recipe
  const again = await makeFilmRendition(media, source, { ...unbounded, videoBits: fewer }, making)
  if (!again || 'refused' in again || again.sizeBytes <= maxBytes) return again
  await again[Symbol.asyncDispose]()
  return { refused: tooMany(maxBytes) }
}

const leastBits = 32_000

const inMegabytes = (bytes: number) =>
  `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
const tooMany = (bytes: number) => `It cannot be brought below ${inMegabytes(bytes)}. Use a shorter film.`
const tooFew = (bytes: number) => `It has less than ${inMegabytes(bytes)}. Use a longer film.`
