import { type Cut, clamp, cutAround, type Size } from '../../contract/ratios.ts'
import type { Range } from './target.ts'

/** How a picture is made to suit a target. Metadata is always left out, colours are sRGB, and it stands upright. */
export interface Recipe {
  format: 'jpeg' | 'png' | 'webp'
  maxWidth?: number
  maxHeight?: number
  /** Pictures are never enlarged: a smaller one is refused. */
  minWidth?: number
  minHeight?: number
  maxPixels?: number
  /** Width by height. A picture outside of it is cropped to the nearest allowed one. */
  ratio?: Range
  /** What is kept instead of the middle. */
  cut?: Cut
  /** 1 to 100; the most that is tried when bytes are capped. */
  quality?: number
  maxBytes?: number
  minBytes?: number
  /** What transparent parts lie on where the format has no transparency. */
  background?: string
  /** Drawn over all of it. */
  watermark?: string
}

export const nearest = (value: number, { min = 0, max = Infinity }: Range = {}) => clamp(value, min, max)

/** The part of the picture that the recipe keeps, in its own pixels. */
export function cutFor({ width, height }: Size, { ratio, cut }: Recipe): Cut {
  if (cut) return cut
  const own = width / height
  return cutAround({ width, height }, nearest(own, ratio))
}

/** The size that the cut is delivered in: as large as the recipe allows, never enlarged. */
export function sizeFor({ width, height }: Size, { maxWidth, maxHeight, maxPixels, ratio }: Recipe): Size {
  const scale = Math.min(
    1,
    (maxWidth ?? width) / width,
    (maxHeight ?? height) / height,
    Math.sqrt((maxPixels ?? width * height) / (width * height)),
  )
  return withinRatio(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)), ratio)
}

/** Whole pixels are a little wider or taller than what was cut. */
function withinRatio(width: number, height: number, ratio: Recipe['ratio']): Size {
  const { min = 0, max = Infinity } = ratio ?? {}
  if (width / height > max) return { width: Math.max(1, Math.floor(height * max)), height }
  if (width / height < min) return { width, height: Math.max(1, Math.floor(width / min)) }
  return { width, height }
}

/** Why the picture cannot be made to fit, if it is too small for it. */
export function tooSmall(size: Size, recipe: Recipe): string | undefined {
  const { minWidth = 1, minHeight = 1 } = recipe
  if (size.width >= minWidth && size.height >= minHeight) return undefined
  const needed = {
    both: `${minWidth} × ${minHeight} are`,
    width: `${minWidth} of width are`,
    height: `${minHeight} of height are`,
  }[limitedSides(recipe)]
  return `It would be ${size.width} × ${size.height} pixels; at least ${needed} needed. Use a larger picture.`
}

export const limitedSides = ({ minWidth = 1, minHeight = 1 }: Recipe) =>
  minHeight <= 1 ? 'width' : minWidth <= 1 ? 'height' : 'both'
