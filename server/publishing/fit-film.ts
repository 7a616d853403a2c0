import type { FilmRange } from '../../contract/film-range.ts'
import type { FitReason } from '../../contract/fit-reasons.ts'
import { hasRatio, type Ratio, ratioValue } from '../../contract/ratios.ts'
import { encoding, type FilmRecipe, repacking } from './film-recipe.ts'
import type { Range, Target } from './target.ts'
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

/** Whether a target takes a film, or the part of it that is named, and what is to be made of it first. */
export function fitFilm(film: AssetFacts, target: Target, ratio?: Ratio, range?: FilmRange): Fit {
  const never = whyNever(film, target, ratio, range)
  if (never.length > 0) return refused(never)
  const why = whyNotAsIs(film, target)
  if (why.length === 0 && !range) return asIs
  const isSoundAlone = !range && why.every(({ values }) => values.codec === film.audioCodec)
  const recipe = isSoundAlone ? repacking(film, target.video) : encoding(film, target.video, range)
  return converted(recipe, why)
}

/** The same for a film that would go as it is, but says too much, or says last what it should say first. */
export const repacked = (film: AssetFacts, target: Target, why: FitReason): Fit =>
  converted(repacking(film, target.video), [why])

const converted = (recipe: FilmRecipe, why: FitReason[]): Fit => ({
  fits: 'convert',
  recipe,
  size: { width: recipe.width, height: recipe.height },
  ...inWords([...why, ...whatIsMade(recipe)]),
})

function whatIsMade({ video, width, height, range }: FilmRecipe): FitReason[] {
  const lines = Math.min(width, height)
  const cut =
    range &&
    because(
      'cut-out',
      `Only ${spoken(range.startSeconds)} to ${spoken(range.endSeconds)} seconds of it go out.`,
      {
        start: range.startSeconds,
        end: range.endSeconds,
      },
    )
  const made =
    video === 'encode'
      ? because('film-converted', `It is converted to H.264, ${lines}p.`, {
          codec: 'H.264',
          lines: `${lines}p`,
        })
      : because('film-repacked', 'It is repacked; its pictures stay as they are.')
  return cut ? [cut, made] : [made]
}

/** What no conversion helps against. */
function whyNever(
  film: AssetFacts,
  { name, video }: Target,
  ratio: Ratio | undefined,
  range: FilmRange | undefined,
): FitReason[] {
  const { width, height, sizeBytes } = film
  const seconds = range ? round(range.endSeconds - range.startSeconds) : film.durationSeconds
  const least = ({ min }: Range = {}): Range => (min === undefined ? {} : { min })
  return [
    range && beyond(film, range),
    tooLong(name, seconds, video.seconds),
    outside(name, 'seconds', seconds, least(video.seconds)),
    outside(name, 'bytes', sizeBytes, least(video.bytes)),
    outside(name, 'width', width, least(video.width)),
    outside(name, 'height', height, least(video.height)),
    outside(name, 'short-edge', Math.min(width, height), least(video.shortEdge)),
    outside(name, 'ratio', round(width / height), video.ratio),
    ratio && !hasRatio(film, ratioValue(ratio))
      ? because('film-not-cropped', `Films are not cropped, and this one is not ${ratio}.`, { ratio })
      : undefined,
  ].filter((reason) => reason !== undefined)
}

/** Clocks and people round. */
const aLittle = 0.1

function beyond(
  { durationSeconds }: AssetFacts,
  { startSeconds, endSeconds }: FilmRange,
): FitReason | undefined {
  const seconds = durationSeconds ?? 0
  if (startSeconds < endSeconds && endSeconds <= seconds + aLittle) return undefined
  return because(
    'range-outside',
    `The range must begin before it ends, and end within the ${spoken(seconds)} seconds.`,
    {
      seconds: round(seconds),
    },
  )
}

function tooLong(
  name: string,
  value: number | null,
  { min = 0, max = Infinity }: Range = {},
): FitReason | undefined {
  if (value === null || value <= max) return undefined
  return because(
    'range-needed',
    `${name} takes up to ${spoken(max)} seconds; this has ${spoken(value)}. Say which part of it is sent, with a range.`,
    { target: name, limit: max, value: round(value), least: min },
  )
}

function whyNotAsIs(film: AssetFacts, { name, video }: Target): FitReason[] {
  const { width, height, sizeBytes, durationSeconds } = film
  const bitRate = durationSeconds ? Math.round((sizeBytes * 8) / durationSeconds) : null
  return [
    outside(name, 'bytes', sizeBytes, video.bytes),
    outside(name, 'bit-rate', bitRate, video.bitRate),
    outside(name, 'frame-rate', nominal(film.frameRate, video.frameRate), video.frameRate),
    notAmong(name, film.videoCodec, video.videoCodecs),
    notAmong(name, film.audioCodec, video.audioCodecs),
    outside(name, 'width', width, video.width),
    outside(name, 'height', height, video.height),
    outside(name, 'short-edge', Math.min(width, height), video.shortEdge),
  ].filter((reason) => reason !== undefined)
}

/** A clock in a phone is not exact: what it calls 60 frames a second may be measured as 60.058. */
function nominal(rate: number | null, { min, max }: Range = {}): number | null {
  const meant = [min, max].find((limit) => rate && limit && Math.abs(rate / limit - 1) < 0.01)
  return meant ?? rate
}

function notAmong(name: string, codec: string | null, codecs: string[] | undefined): FitReason | undefined {
  if (!codec || !codecs || codecs.includes(codec)) return undefined
  return because('codec-not-taken', `${name} takes ${codecs.join(' or ')}; this has ${codec}.`, {
    target: name,
    codec,
    codecs: codecs.join(', '),
  })
}
