import type { Crops } from '../../contract/crops.ts'
import type { FitCode, FitReason, Measure } from '../../contract/fit-reasons.ts'
import { type Point, type Size, spokenRatio } from '../../contract/ratios.ts'
import type { Inspection } from '../media/pictures/inspection.ts'
import type { FilmRecipe } from './film-recipe.ts'
import type { Recipe } from './recipe.ts'
import type { Origin, Range } from './target.ts'

export type AssetFacts = Pick<
  Inspection,
  | 'mimeType'
  | 'width'
  | 'height'
  | 'durationSeconds'
  | 'frameRate'
  | 'colourSpace'
  | 'hasAlpha'
  | 'capturedAt'
  | 'hasGps'
  | 'isAnimated'
  | 'videoCodec'
  | 'audioCodec'
> & {
  sizeBytes: number
  origin?: Origin | null
  /** Not known of files that were looked at before it was asked for. */
  isTurned: boolean | undefined
  focalPoint: Point | null
  crops: Crops
  altText: string
}

export type Fit =
  | { fits: 'as-is'; reasons: []; why: [] }
  | { fits: 'convert'; recipe: Recipe | FilmRecipe; size: Size; reasons: string[]; why: FitReason[] }
  | { fits: 'refused'; reasons: string[]; why: FitReason[] }

export const asIs: Fit = { fits: 'as-is', reasons: [], why: [] }
export const inWords = (why: FitReason[]) => ({ why, reasons: why.map(({ detail }) => detail) })
export const refused = (why: FitReason[]): Fit => ({ fits: 'refused', ...inWords(why) })

export const because = (code: FitCode, detail: string, values: FitReason['values'] = {}): FitReason => ({
  code,
  detail,
  values,
})

export function outside(
  name: string,
  what: Measure,
  value: number | null,
  { min, max }: Range = {},
): FitReason | undefined {
  if (value === null) return undefined
  if (min !== undefined && value < min)
    return because(
      `below-${what}`,
      `${name} asks for at least ${said(what, min)} ${units[what]}; this has ${said(what, value)}.`,
      { target: name, limit: round(min), value: round(value) },
    )
  if (max !== undefined && value > max)
    return because(
      `above-${what}`,
      `${name} takes up to ${said(what, max)} ${units[what]}; this has ${said(what, value)}.`,
      { target: name, limit: round(max), value: round(value) },
    )
  return undefined
}

const said = (what: Measure, value: number) => (what === 'ratio' ? spokenRatio(value) : spoken(value))

const units: Record<Measure, string> = {
  seconds: 'seconds',
  bytes: 'bytes',
  'bit-rate': 'bits a second',
  'frame-rate': 'frames a second',
  width: 'pixels of width',
  height: 'pixels of height',
  'short-edge': 'pixels on the shorter side',
  pixels: 'pixels',
  ratio: 'as width by height',
}

export const round = (value: number) => Math.round(value * 1000) / 1000
export const spoken = (value: number) => round(value).toLocaleString('en')
