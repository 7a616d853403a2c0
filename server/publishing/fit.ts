import type { FilmRange } from '../../contract/film-range.ts'
import type { FitReason } from '../../contract/fit-reasons.ts'
import { isFilm } from '../../contract/media-types.ts'
import { type Cut, hasRatio, type Ratio, ratioValue } from '../../contract/ratios.ts'
import { isChosen, keptOf } from './crop.ts'
import { isFilmRecipe } from './film-recipe.ts'
import { fitFilm } from './fit-film.ts'
import { cutFor, limitedSides, type Recipe, sizeFor, tooSmall } from './recipe.ts'
import type { ImageRules, Target } from './target.ts'
import {
  type AssetFacts,
  asIs,
  because,
  type Fit,
  inWords,
  outside,
  refused,
  round,
  spoken,
} from './verdict.ts'

/** What is asked for beside what the target likes best. */
export interface Wanted {
  /** What pictures are cropped to. */
  ratio?: Ratio | undefined
  /** What is sent of films. */
  range?: FilmRange | undefined
}

/** Whether a target takes the asset, what is to be made of it first, and why. Nothing is read or decoded. */
export function fitTo(asset: AssetFacts, target: Target, { ratio, range }: Wanted = {}): Fit {
  const unwanted = target.refusesOrigins
  if (unwanted && asset.origin && unwanted.origins.includes(asset.origin))
    return refused([
      because('origin-not-taken', unwanted.reason, { target: target.name, origin: asset.origin }),
    ])
  return isFilm(asset.mimeType) ? fitFilm(asset, target, ratio, range) : fitImage(asset, target, ratio)
}

function fitImage(asset: AssetFacts, target: Target, wanted: Ratio | undefined): Fit {
  const never = whyNever(asset, target, wanted)
  if (never.length > 0) return refused(never)
  const why = whyNotAsIs(asset, target, wanted)
  if (why.length === 0) return asIs
  if (asset.isAnimated)
    why.push(
      because('first-picture-only', 'Only the first of its pictures goes out: it does not move any more.'),
    )
  const recipe = recipeFor(asset, target.image, wanted)
  const size = sizeFor(cutFor(asset, recipe), recipe)
  const small = tooSmall(size, recipe)
  const { minWidth = 1, minHeight = 1 } = recipe
  return small
    ? refused([
        because('too-small', `${target.name}: ${small}`, {
          target: target.name,
          ...size,
          minWidth,
          minHeight,
          needed: limitedSides(recipe),
        }),
      ])
    : { fits: 'convert', recipe, size, ...inWords(why) }
}

const wideMargin = 10

/** Whether only the making can tell how many bytes there will be, or how many pixels for their sake. */
export function hangsOnBytes(asset: AssetFacts, fit: Fit, { image: { minBytes = 0 } }: Target): boolean {
  if (fit.fits === 'refused') return false
  if (fit.fits === 'as-is') return !isFilm(asset.mimeType) && asset.sizeBytes < minBytes * wideMargin
  const { size, recipe } = fit
  if (isFilmRecipe(recipe)) return false
  const pixels = size.width * size.height
  const share = Math.min(1, pixels / (asset.width * asset.height))
  const couldBeTooMany = recipe.format === 'png' && pixels * 4 > (recipe.maxBytes ?? Infinity)
  return couldBeTooMany || asset.sizeBytes * share < minBytes * wideMargin
}

/** What no conversion helps against. */
const whyNever = ({ altText }: AssetFacts, { name, image }: Target, wanted: Ratio | undefined): FitReason[] =>
  [
    longAltText(altText, { name, image }),
    wanted && outside(name, 'ratio', round(ratioValue(wanted)), image.ratio),
  ].filter((reason) => reason !== undefined)

/** No words are left out in silence: whoever wrote them shortens them. */
export function longAltText(
  altText: string,
  { name, image: { altTextLength: limit = Infinity } }: Pick<Target, 'name' | 'image'>,
): FitReason | undefined {
  const value = [...altText].length
  if (value <= limit) return undefined
  return because(
    'alt-text-too-long',
    `${name} takes up to ${spoken(limit)} characters of alt text; this has ${spoken(value)}. Shorten it.`,
    { target: name, limit, value },
  )
}

function whyNotAsIs(asset: AssetFacts, { name, image }: Target, wanted: Ratio | undefined): FitReason[] {
  const { width, height, sizeBytes } = asset
  const taken = image.types[asset.mimeType]
  return [
    taken
      ? undefined
      : because('type-not-taken', `${name} does not take ${asset.mimeType}.`, {
          target: name,
          type: asset.mimeType,
        }),
    outside(name, 'bytes', sizeBytes, { min: image.minBytes, max: taken?.maxBytes }),
    outside(name, 'width', width, image.width),
    outside(name, 'height', height, image.height),
    outside(name, 'short-edge', Math.min(width, height), image.shortEdge),
    outside(name, 'pixels', width * height, { max: image.maxPixels }),
    (wanted && croppedTo(wanted, asset)) ?? outside(name, 'ratio', round(width / height), image.ratio),
    // No colour profile goes out, and no mark: what they say is done to the picture itself.
    isSrgb(asset.colourSpace)
      ? undefined
      : because('colours', `Its colours (${asset.colourSpace}) are made sRGB.`, {
          target: name,
          colours: asset.colourSpace ?? '',
        }),
    asset.isTurned === false ? undefined : because('turned-upright', 'It is turned upright.'),
    asset.hasGps || asset.capturedAt
      ? because('camera-notes', 'What the camera wrote into the file does not go out.')
      : undefined,
  ].filter((reason) => reason !== undefined)
}

const croppedTo = (wanted: Ratio, asset: AssetFacts) =>
  hasRatio(asset, ratioValue(wanted)) && !isChosen(asset, wanted)
    ? undefined
    : because('cropped', `It is cropped to ${wanted}.`, { ratio: wanted })

function recipeFor(
  asset: AssetFacts,
  { convert, types, minBytes, width, height, shortEdge, maxPixels, ratio }: ImageRules,
  wanted: Ratio | undefined,
): Recipe {
  const format = (asset.hasAlpha && convert.transparent) || convert.format
  const recipe = defined({
    format,
    quality: convert.quality,
    maxWidth: least(convert.maxWidth, width?.max),
    maxHeight: least(convert.maxHeight, height?.max),
    minWidth: width?.min ?? shortEdge?.min,
    minHeight: height?.min ?? shortEdge?.min,
    maxPixels,
    ratio,
    maxBytes: types[`image/${format}`]?.maxBytes,
    minBytes,
  })
  const middle = cutFor(asset, recipe)
  const { cut } = keptOf(asset, recipe.ratio, wanted)
  // What is cut out of the middle goes by the name it always had: it lies at targets under it.
  return isSame(cut, middle) ? recipe : { ...recipe, cut }
}

const isSame = (one: Cut, other: Cut) =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height

const isSrgb = (colourSpace: string | null) => colourSpace === null || /^(srgb|b-w$)/i.test(colourSpace)
const least = (a: number, b: number | undefined) => Math.min(a, b ?? a)

function defined(recipe: { [Key in keyof Recipe]: Recipe[Key] | undefined }): Recipe {
  return Object.fromEntries(
    Object.entries(recipe).filter(([, value]) => value !== undefined),
  ) as unknown as Recipe
}
