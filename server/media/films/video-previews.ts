import type { Pixels } from '../pictures/pixels.ts'
import type { Source } from '../pictures/source.ts'
import { type AskFrame, askedFrames, type Frames, nodeAvFrames } from './frames.ts'
import { pickPoster } from './poster.ts'
import { drawStoryboard, type Storyboard, storyboardSide } from './storyboard.ts'
import { type OpenedVideo, openVideo } from './video.ts'
import { drawVideoTile } from './video-tile.ts'

/** What can decode videos on this machine, the preferred one first. */
export type VideoEngine = 'node-av' | 'ffmpeg'

export interface VideoSource extends Source {
  frame: AskFrame
}

/** The picture at a moment, or one that stands for all; a drawn tile where nothing here can decode the video. */
export async function posterOf(
  source: VideoSource,
  engines: VideoEngine[],
  side: number,
  atSeconds?: number,
): Promise<{ pixels: Pixels; standIn: boolean }> {
  using video = await openVideo(source)
  const pixels = await firstThatWorks(video, source, engines, side, (frames) =>
    pick(frames, video.durationSeconds, atSeconds),
  )
  return pixels ? { pixels, standIn: false } : { pixels: await tileFor(video, side), standIn: true }
}

/** To decode what lies between a key frame and a moment takes as long as to decode a film of that length. */
const mostBehindKey = 12

async function pick(frames: Frames, durationSeconds: number, atSeconds: number | undefined): Promise<Pixels> {
  if (atSeconds === undefined) return pickPoster(frames, durationSeconds)
  // The last picture begins before the film ends.
  const wanted = Math.max(0, Math.min(atSeconds, durationSeconds - 0.1))
  const key = await frames.keyBefore(wanted)
  const near = wanted - key <= mostBehindKey ? wanted : key
  for await (const { pixels } of frames.at([near])) return pixels
  return pickPoster(frames, durationSeconds)
}

export async function storyboardOf(source: VideoSource, engines: VideoEngine[]): Promise<Storyboard | null> {
  using video = await openVideo(source)
  const { durationSeconds } = video
  return (
    (await firstThatWorks(video, source, engines, storyboardSide, (frames) =>
      drawStoryboard(frames, durationSeconds),
    )) ?? null
  )
}

/** What the first engine that can makes of the video; undefined when none can. */
async function firstThatWorks<T>(
  video: OpenedVideo,
  source: VideoSource,
  engines: VideoEngine[],
  side: number,
  make: (frames: Frames) => Promise<T>,
): Promise<T | undefined> {
  for (const engine of engines) {
    try {
      const frames =
        engine === 'node-av' ? await nodeAvFrames(video, side) : askedFrames(video, source.frame, side)
      if (frames) return await make(frames)
    } catch {
      // The next one may know this codec, or bear this damage.
    }
  }
  return undefined
}

async function tileFor({ track, durationSeconds }: OpenedVideo, side: number): Promise<Pixels> {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const scale = side / Math.max(width, height)
  const atLeast = (value: number) => Math.max(Math.round(side / 4), Math.round(value * scale))
  return drawVideoTile(atLeast(width), atLeast(height), durationSeconds)
}
