import { type Static, Type } from 'typebox'
import { type Ratio, ratios } from './ratios.ts'
import { Any, Strict } from './words.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const Side = Type.Number({ exclusiveMinimum: 0, maximum: 1 })

export const FocalPoint = Strict(
  { x: Share, y: Share },
  { description: 'What a crop keeps in view, from the top left corner, 0 to 1 each way.' },
)
export type FocalPoint = Static<typeof FocalPoint>

export const Crop = Strict(
  { x: Share, y: Share, width: Side, height: Side },
  { description: 'A part of the picture: its top left corner and its sides, 0 to 1 each way.' },
)
export type Crop = Static<typeof Crop>

export const Crops = Strict(Any(ratios, Crop), {
  description: 'What a person chose to be kept in a ratio. In all others the crop follows the focal point.',
})
export type Crops = Partial<Record<Ratio, Crop>>

/** As answers show them, in as few words as can be: agents read these with every task. */
export const FocalPointShown = Type.Object({ x: Type.Number(), y: Type.Number() })
export const Area = Type.Object({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
})
export const CropsShown = Type.Unsafe<Crops>({
  type: 'object',
  additionalProperties: Area,
})

export const RatioName = Type.Enum(ratios, { description: 'Width by height.' })
