import type { Inspection } from './inspection.ts'
import { cutFor, type Recipe, sizeFor, tooSmall } from './recipe.ts'
import type { ImageRules, Origin, Range, Target } from './targets/target.ts'

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
> & { sizeBytes: number; origin?: Origin | null }

export type Fit =
  | { fits: 'as-is'; reasons: [] }
  | { fits: 'convert'; recipe: Recipe; reasons: string[] }
  | { fits: 'refused'; reasons: string[] }

/** Whether a target takes the asset, what is to be made of it first, and why. Nothing is read or decoded. */
export function fitTo(asset: AssetFacts, target: Target): Fit {
  const unwanted = target.refusesOrigins
  if (unwanted && asset.origin && unwanted.origins.includes(asset.origin))
    return { fits: 'refused', reasons: [unwanted.reason] }
  return asset.mimeType === 'video/mp4' ? fitVideo(asset, target) : fitImage(asset, target)
}

function fitVideo(asset: AssetFacts, { name, video }: Target): Fit {
  const { width, height } = asset
  const reasons = [
    outside(name, 'seconds', asset.durationSeconds, video.seconds),
    outside(name, 'bytes', asset.sizeBytes, video.bytes),
    outside(name, 'frames a second', asset.frameRate, video.frameRate),
    outside(name, 'pixels of width', width, video.width),
    outside(name, 'pixels of height', height, video.height),
    outside(name, 'pixels on the shorter side', Math.min(width, height), video.shortEdge),
    outside(name, 'as width by height', round(width / height), video.ratio),
  ].filter((reason) => reason !== undefined)
  return reasons.length ? { fits: 'refused', reasons } : { fits: 'as-is', reasons: [] }
}

function fitImage(asset: AssetFacts, target: Target): Fit {
  const reasons = whyNotAsIs(asset, target)
  if (reasons.length === 0) return { fits: 'as-is', reasons: [] }
  const recipe = recipeFor(asset, target.image)
  const small = tooSmall(sizeFor(cutFor(asset, recipe), recipe), recipe)
  return small
    ? { fits: 'refused', reasons: [`${target.name}: ${small}`] }
    : { fits: 'convert', recipe, reasons }
}

function whyNotAsIs(asset: AssetFacts, { name, image }: Target): string[] {
  const { width, height, sizeBytes } = asset
  const taken = image.types[asset.mimeType]
  return [
    taken ? undefined : `${name} does not take ${asset.mimeType}.`,
    outside(name, 'bytes', sizeBytes, { min: image.minBytes, max: taken?.maxBytes }),
    outside(name, 'pixels of width', width, image.width),
    outside(name, 'pixels of height', height, image.height),
    outside(name, 'pixels on the shorter side', Math.min(width, height), image.shortEdge),
    outside(name, 'pixels', width * height, { max: image.maxPixels }),
    outside(name, 'as width by height', round(width / height), image.ratio),
    image.needsSrgb && !isSrgb(asset.colourSpace)
      ? `${name} shows other colours than sRGB wrongly.`
      : undefined,
    // Cameras write where and how the picture was taken: the place must not leave, and the turn must be baked in.
    asset.hasGps || asset.capturedAt ? 'What the camera wrote into the file does not go out.' : undefined,
  ].filter((reason) => reason !== undefined)
}

function recipeFor(
  asset: AssetFacts,
  { convert, types, minBytes, width, height, shortEdge, maxPixels, ratio }: ImageRules,
): Recipe {
  const format = (asset.hasAlpha && convert.transparent) || convert.format
  return defined({
    format,
    quality: convert.quality,
    maxWidth: least(convert.maxWidth, width?.max),
    maxHeight: least(convert.maxHeight, height?.max),
    minWidth: width?.min ?? shortEdge?.min,
    minHeight: height?.min ?? shortEdge?.min,
    maxPixels,
    ratio: ratio && { min: ratio.min ?? 0, max: ratio.max ?? Infinity },
    maxBytes: types[`image/${format}`]?.maxBytes,
    minBytes,
  })
}

function outside(
  name: string,
  what: string,
  value: number | null,
  { min, max }: Range = {},
): string | undefined {
  if (value === null) return undefined
  if (min !== undefined && value < min)
    return `${name} asks for at least ${spoken(min)} ${what}; this has ${spoken(value)}.`
  if (max !== undefined && value > max)
    return `${name} takes up to ${spoken(max)} ${what}; this has ${spoken(value)}.`
  return undefined
}

const isSrgb = (colourSpace: string | null) => colourSpace === null || /^srgb/i.test(colourSpace)
const least = (a: number, b: number | undefined) => Math.min(a, b ?? a)
const round = (value: number) => Math.round(value * 1000) / 1000
const spoken = (value: number) => round(value).toLocaleString('en')

function defined(recipe: { [Key in keyof Recipe]: Recipe[Key] | undefined }): Recipe {
  return Object.fromEntries(
    Object.entries(recipe).filter(([, value]) => value !== undefined),
  ) as unknown as Recipe
}
