import { type Film, openFilm } from './film.ts'
import { drawFilmTile } from './film-tile.ts'
import { type AskFrame, askedFrames, type Frames, nodeAvFrames } from './frames.ts'
import type { Pixels } from './pixels.ts'
import { pickPoster } from './poster.ts'
import type { Source } from './source.ts'
import { drawStoryboard, type Storyboard, storyboardSide } from './storyboard.ts'

/** What can decode films on this machine, the preferred one first. */
export type FilmDecoder = 'node-av' | 'ffmpeg'

export interface FilmSource extends Source {
  frame: AskFrame
}

/** A poster, or a drawn tile where nothing here can decode the film. */
export async function posterOf(
  source: FilmSource,
  decoders: FilmDecoder[],
  side: number,
): Promise<{ pixels: Pixels; standIn: boolean }> {
  using film = await openFilm(source)
  const frames = await framesOf(film, source, decoders, side)
  if (frames) return { pixels: await pickPoster(frames, film.durationSeconds), standIn: false }
  return { pixels: await tileFor(film, side), standIn: true }
}

export async function storyboardOf(source: FilmSource, decoders: FilmDecoder[]): Promise<Storyboard | null> {
  using film = await openFilm(source)
  const frames = await framesOf(film, source, decoders, storyboardSide)
  return frames ? await drawStoryboard(frames, film.durationSeconds) : null
}

async function framesOf(
  film: Film,
  source: FilmSource,
  decoders: FilmDecoder[],
  side: number,
): Promise<Frames | undefined> {
  for (const decoder of decoders) {
    const frames =
      decoder === 'node-av' ? await nodeAvFrames(film, side) : askedFrames(film, source.frame, side)
    if (frames) return frames
  }
  return undefined
}

async function tileFor({ track, durationSeconds }: Film, side: number): Promise<Pixels> {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const scale = side / Math.max(width, height)
  const atLeast = (value: number) => Math.max(Math.round(side / 4), Math.round(value * scale))
  return drawFilmTile(atLeast(width), atLeast(height), durationSeconds)
}
