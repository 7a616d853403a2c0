import type { MediaDetails } from '../../../contract/assets.ts'
import type { Size } from '../../../contract/ratios.ts'

/** What becomes of each track on the way to a copy that every browser plays. */
export interface CopyOrder extends Size {
  video: 'copy' | 'encode'
  sound: 'copy' | 'encode' | 'none'
  isHdr: boolean
  durationSeconds: number
}

export type FilmFacts = Size & { durationSeconds: number } & Pick<
    MediaDetails,
    'videoCodec' | 'audioCodec' | 'colourSpace'
  >

/** In an MP4, by every browser of today. HEVC is played by some, on some machines. */
const playedVideo = ['h264', 'vp9', 'av1']
const playedSound = ['aac', 'mp3', 'opus', 'flac']

export const playsEverywhere = ({ videoCodec, audioCodec }: FilmFacts): boolean =>
  playedVideo.includes(videoCodec ?? '') && (!audioCodec || playedSound.includes(audioCodec))

/**
 * Only what is not played is encoded anew. A film that should play and is asked for all the same does not play
 * somewhere, for reasons that its header does not tell: then its pictures are.
 */
export function copyOrder(film: FilmFacts): CopyOrder {
  const { videoCodec, audioCodec, colourSpace, durationSeconds } = film
  const isCopied = playedVideo.includes(videoCodec ?? '') && !playsEverywhere(film)
  return {
    video: isCopied ? 'copy' : 'encode',
    sound: !audioCodec ? 'none' : audioCodec === 'aac' ? 'copy' : 'encode',
    isHdr: /\b(pq|hlg)$/.test(colourSpace ?? ''),
    durationSeconds,
    ...(isCopied ? { width: film.width, height: film.height } : within720p(film)),
  }
}

/** Whole pairs of pixels, as the encoder wants them; nothing is enlarged. */
export function within720p({ width, height }: Size): Size {
  const scale = Math.min(1, 720 / Math.min(width, height), 1280 / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: even(width), height: even(height) }
}
