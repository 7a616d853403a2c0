import { type Static, Type } from 'typebox'
import { Strict } from './words.ts'

const Seconds = Type.Number({ minimum: 0, maximum: 864_000 })

export const FilmRange = Strict(
  { startSeconds: Seconds, endSeconds: Seconds },
  { description: 'The part of each film that is sent.' },
)
export type FilmRange = Static<typeof FilmRange>
