import type { FilmRange } from '../../contract/film-range.ts'
import type { Size } from '../../contract/ratios.ts'
import {
  type FilmFacts,
  hasHdr,
  playedSound,
  playedVideo,
  scaled,
  soundBits,
  within720p,
} from '../media/films/playable.ts'
import type { Inspection } from '../media/pictures/inspection.ts'
import type { Range, VideoRules } from './target.ts'

/**
 * How a film is made to suit a target: an MP4 with its index in front, and nothing in it but pictures and sound. What
 * is encoded is H.264 and AAC, stands upright and has common colours.
 */
export interface FilmRecipe extends Size {
  format: 'mp4'
  video: 'copy' | 'encode'
  sound: 'copy' | 'encode' | 'none'
  isHdr: boolean
  durationSeconds: number
  range?: FilmRange
  frameRate?: number
  videoBits?: number
  maxBytes?: number
  minBytes?: number
  watermark?: string
}

/** A copy that plays everywhere, with a text over all of it. */
export const marking = (film: FilmFacts, watermark: string): FilmRecipe => ({
  format: 'mp4',
  video: 'encode',
  sound: film.audioCodec ? 'encode' : 'none',
  isHdr: hasHdr(film.colourSpace),
  durationSeconds: film.durationSeconds,
  ...within720p(film),
  watermark,
})

type Film = Pick<
  Inspection,
  'width' | 'height' | 'durationSeconds' | 'frameRate' | 'videoCodec' | 'audioCodec' | 'colourSpace'
>

export const isFilmRecipe = (recipe: { format: string }): recipe is FilmRecipe => recipe.format === 'mp4'

export const mustEncode = ({ video, sound }: FilmRecipe) => video === 'encode' || sound === 'encode'

/** What can be put into another MP4 as it is. */
const packedVideo = [...playedVideo, 'hevc']

/** The same pictures and the same sound, if they can be taken out as they are. */
export const repacking = (film: Film, rules: VideoRules): FilmRecipe =>
  packedVideo.includes(film.videoCodec ?? '') ? recipe(film, rules, 'copy') : encoding(film, rules)

/** The same sound, if the target takes it, and pictures within its rules. */
export const encoding = (film: Film, rules: VideoRules, range?: FilmRange): FilmRecipe =>
  recipe(film, rules, 'encode', range)

function recipe(film: Film, rules: VideoRules, video: FilmRecipe['video'], range?: FilmRange): FilmRecipe {
  const durationSeconds = range ? range.endSeconds - range.startSeconds : (film.durationSeconds ?? 0)
  const made: FilmRecipe = {
    format: 'mp4',
    video,
    sound: soundOf(film, rules),
    isHdr: hasHdr(film.colourSpace),
    durationSeconds: Math.round(durationSeconds * 1000) / 1000,
    ...(rules.bytes?.max !== undefined && { maxBytes: rules.bytes.max }),
    ...(rules.bytes?.min !== undefined && { minBytes: rules.bytes.min }),
    width: film.width,
    height: film.height,
  }
  if (video === 'copy') return made
  const size = sizeWithin(film, rules)
  const frameRate = frameRateWithin(film.frameRate, rules.frameRate)
  return {
    ...made,
    ...size,
    ...(range && { range: { startSeconds: range.startSeconds, endSeconds: range.endSeconds } }),
    // What is cut between two pictures would otherwise begin with half a one.
    ...(frameRate && (range || frameRate !== film.frameRate) && { frameRate }),
    videoBits: bitsFor(size, frameRate ?? 30, durationSeconds, rules),
  }
}

const soundOf = ({ audioCodec }: Film, { audioCodecs = playedSound }: VideoRules) =>
  !audioCodec
    ? 'none'
    : audioCodecs.includes(audioCodec) && playedSound.includes(audioCodec)
      ? 'copy'
      : 'encode'

/** 1080p at most, within the target's limits, and never enlarged; but not made smaller than the target asks for. */
function sizeWithin(film: Size, { width = {}, height = {}, shortEdge = {} }: VideoRules): Size {
  const [short, long] = [Math.min(film.width, film.height), Math.max(film.width, film.height)]
  const { max: mostWidth = film.width } = width
  const { max: mostHeight = film.height } = height
  const { max: mostShort = short, min: leastShort = 0 } = shortEdge
  const most = Math.min(
    ...[1080 / short, 1920 / long, mostWidth / film.width, mostHeight / film.height, mostShort / short],
  )
  const least = Math.max((width.min ?? 0) / film.width, (height.min ?? 0) / film.height, leastShort / short)
  return scaled(film, Math.min(1, Math.max(most, least)))
}

/** Every second picture where there are too many, each one twice where there are too few. */
function frameRateWithin(rate: number | null, { min = 0, max = Infinity }: Range = {}): number | undefined {
  if (!rate) return undefined
  let within = rate
  while (within > max * 1.01) within /= 2
  while (within < min * 0.99) within *= 2
  return Math.round(within * 1000) / 1000
}

const bitsPerPixel = { slow: 2.5, quick: 4 }

/** As many bits a second as the size deserves, and no more than the target takes in all. */
function bitsFor({ width, height }: Size, frameRate: number, seconds: number, rules: VideoRules): number {
  const deserved = width * height * (frameRate > 32 ? bitsPerPixel.quick : bitsPerPixel.slow)
  const inAll = rules.bytes?.max === undefined ? Infinity : (rules.bytes.max * 8 * 0.9) / seconds - soundBits
  const atOnce = (rules.bitRate?.max ?? Infinity) * 0.8 - soundBits
  return Math.max(64_000, Math.floor(Math.min(deserved, inAll, atOnce)))
}
