import type { Cut, Size } from '../media/pictures/rendition.ts'

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
  ratio?: { min: number; max: number }
  /** 1 to 100; the most that is tried when bytes are capped. */
  quality?: number
  maxBytes?: number
  minBytes?: number
  /** What transparent parts lie on where the format has no transparency. */
  background?: string
}

/** The point that a crop keeps in view, from the top left corner, 0 to 1 each way. */
export interface FocalPoint {
  x: number
  y: number
}

/** The part of the picture that the recipe keeps, in its own pixels. */
export function cutFor(
  { width, height }: Size,
  { ratio }: Recipe,
  focus: FocalPoint = { x: 0.5, y: 0.5 },
): Cut {
  const wanted = ratio ? clamp(width / height, ratio.min, ratio.max) : width / height
  const isWider = width / height > wanted
  const kept = isWider
    ? { width: Math.max(1, Math.floor(height * wanted)), height }
    : { width, height: Math.min(height, Math.max(1, Math.floor(width / wanted))) }
  return {
    ...kept,
    left: Math.round(clamp(focus.x * width - kept.width / 2, 0, width - kept.width)),
    top: Math.round(clamp(focus.y * height - kept.height / 2, 0, height - kept.height)),
  }
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
  if (ratio && width / height > ratio.max)
    return { width: Math.max(1, Math.floor(height * ratio.max)), height }
  if (ratio && width / height < ratio.min)
    return { width, height: Math.max(1, Math.floor(width / ratio.min)) }
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

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))
