import { isFilm } from '../../contract/media-types.ts'
import type { VersionRow } from '../assets/asset.ts'
import { type FilmFacts, playsEverywhere } from '../media/films/playable.ts'

export const filmFacts = ({ width, height, duration_seconds, details }: VersionRow): FilmFacts => ({
  ...details,
  width: width ?? 0,
  height: height ?? 0,
  durationSeconds: duration_seconds ?? 0,
})

/** Browsers would not play it: a copy that they do is made without anybody asking. */
export const wantsProxy = (version: VersionRow) =>
  isFilm(version.mime_type) && !playsEverywhere(filmFacts(version))
