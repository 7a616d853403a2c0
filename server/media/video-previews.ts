import { type AskFrame, askedFrames, type Frames, nodeAvFrames } from './frames.ts'
import type { Pixels } from './pixels.ts'
import { pickPoster } from './poster.ts'
import type { Source } from './source.ts'
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
  const frames = await framesOf(video, source, engines, side)
  if (frames) return { pixels: await pick(frames, video.durationSeconds, atSeconds), standIn: false }
  return { pixels: await tileFor(video, side), standIn: true }
}

async function pick(frames: Frames, durationSeconds: number, atSeconds: number | undefined): Promise<Pixels> {
  if (atSeconds === undefined) return pickPoster(frames, durationSeconds)
  const key = await frames.keyBefore(Math.min(atSeconds, durationSeconds))
  for await (const { pixels } of frames.at([key])) return pixels
  return pickPoster(frames, durationSeconds)
}

export async function storyboardOf(source: VideoSource, engines: VideoEngine[]): Promise<Storyboard | null> {
  using video = await openVideo(source)
  const frames = await framesOf(video, source, engines, storyboardSide)
  return frames ? await drawStoryboard(frames, video.durationSeconds) : null
}

async function framesOf(
  video: OpenedVideo,
  source: VideoSource,
  engines: VideoEngine[],
  side: number,
): Promise<Frames | undefined> {
  for (const engine of engines) {
    const frames =
      engine === 'node-av' ? await nodeAvFrames(video, side) : askedFrames(video, source.frame, side)
    if (frames) return frames
  }
  return undefined
}

async function tileFor({ track, durationSeconds }: OpenedVideo, side: number): Promise<Pixels> {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const scale = side / Math.max(width, height)
  const atLeast = (value: number) => Math.max(Math.round(side / 4), Math.round(value * scale))
  return drawVideoTile(atLeast(width), atLeast(height), durationSeconds)
}
