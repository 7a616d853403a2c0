import type { MediaDetails } from '../../../contract/assets.ts'
import type { FilmRange } from '../../../contract/film-range.ts'
import type { Size } from '../../../contract/ratios.ts'

/** What becomes of each track of a film on the way to another: a copy that every browser plays, or one that a target takes. */
export interface FilmOrder extends Size {
  video: 'copy' | 'encode'
  sound: 'copy' | 'encode' | 'none'
  isHdr: boolean
  /** Of what is made. */
  durationSeconds: number
  /** The part of it that is kept, if not all; its pictures are encoded. */
  range?: FilmRange | undefined
  /** Pictures a second, if others than it has. */
  frameRate?: number | undefined
  /** Bits a second for pictures that are encoded, if not by their size. */
  videoBits?: number | undefined
  /** Laid over every picture; they are encoded then. */
  watermark?: string | undefined
}

export type FilmFacts = Size & { durationSeconds: number } & Pick<
    MediaDetails,
    'videoCodec' | 'audioCodec' | 'colourSpace'
  >

/** In an MP4, by every browser of today (MDN, Media container formats, read on 2026-11-16). HEVC is played by some, on some machines. */
export const playedVideo = ['h264', 'vp9', 'av1']
export const playedSound = ['aac', 'mp3', 'opus', 'flac']

export const playsEverywhere = ({ videoCodec, audioCodec }: FilmFacts): boolean =>
  playedVideo.includes(videoCodec ?? '') && (!audioCodec || playedSound.includes(audioCodec))

/**
 * Only what is not played is encoded anew. A film that should play and is asked for all the same does not play
 * somewhere, for reasons that its header does not tell: then its pictures are.
 */
export function copyOrder(film: FilmFacts): FilmOrder {
  const { videoCodec, audioCodec, colourSpace, durationSeconds } = film
  const isCopied = playedVideo.includes(videoCodec ?? '') && !playsEverywhere(film)
  return {
    video: isCopied ? 'copy' : 'encode',
    sound: !audioCodec ? 'none' : audioCodec === 'aac' ? 'copy' : 'encode',
    isHdr: hasHdr(colourSpace),
    durationSeconds,
    ...(isCopied ? { width: film.width, height: film.height } : within720p(film)),
  }
}

export const hasHdr = (colourSpace: string | null) => /\b(pq|hlg)$/.test(colourSpace ?? '')

export function within720p(film: Size): Size {
  const { width, height } = film
  return scaled(film, Math.min(1, 720 / Math.min(width, height), 1280 / Math.max(width, height)))
}

/** In whole pairs of pixels, as the encoder wants them. */
export function scaled({ width, height }: Size, scale: number): Size {
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: even(width), height: even(height) }
}

export const soundBits = 128_000
const videoBitsPerPixel = 2.5

export const videoBitsOf = ({ width, height, videoBits }: FilmOrder): number =>
  videoBits ?? Math.round(videoBitsPerPixel * width * height)
