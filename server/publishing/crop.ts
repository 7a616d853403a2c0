import type { Crops } from '../../contract/crops.ts'
import {
  type Cut,
  centre,
  cutAround,
  hasRatio,
  inPixels,
  nameOfRatio,
  type Point,
  type Ratio,
  ratioValue,
  type Size,
} from '../../contract/ratios.ts'

import { nearest } from './recipe.ts'
import type { Range } from './target.ts'

export interface Framed extends Size {
  focalPoint: Point | null
  crops: Crops
}

/** What a person chose, what follows the focal point, or all of it. */
export type KeptBy = 'person' | 'focal-point' | 'whole'

export interface Kept {
  cut: Cut
  by: KeptBy
}

/** The part of a picture that is kept in a ratio or, where none is named, within a range of them. */
export function keptOf(picture: Framed, range: Range | undefined, wanted?: Ratio): Kept {
  const { width, height } = picture
  const own = width / height
  const value = wanted ? ratioValue(wanted) : nearest(own, range)
  const isWhole = wanted ? hasRatio(picture, value) : value === own
  const chosen = isWhole && !wanted ? undefined : chosenFor(picture, wanted ?? nameOfRatio(value))
  if (chosen) return { cut: chosen, by: 'person' }
  if (isWhole) return { cut: { left: 0, top: 0, width, height }, by: 'whole' }
  return { cut: cutAround(picture, value, picture.focalPoint ?? centre), by: 'focal-point' }
}

/** Whether a person chose what is kept in this ratio. */
export const isChosen = (picture: Framed, ratio: Ratio): boolean => picture.crops[ratio] !== undefined

function chosenFor(picture: Framed, ratio: Ratio | undefined): Cut | undefined {
  const crop = ratio && picture.crops[ratio]
  return crop && inPixels(picture, crop)
}
