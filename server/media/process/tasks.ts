import type { VideoEngine, VideoSource } from '../films/video-previews.ts'
import { barePicture } from '../pictures/bare.ts'
import type { PictureType } from '../pictures/completeness.ts'
import { decodeHeic, heicSize, inspectHeic } from '../pictures/heic.ts'
import type { Inspection, Limits } from '../pictures/inspection.ts'
import { decodePicture, inspectPicture, uprightSize } from '../pictures/picture.ts'
import type { WantedPreview } from '../pictures/preview-sizes.ts'
import {
  encodePreviews,
  hashOf,
  largestSide,
  type PreviewPicture,
  placeholder,
} from '../pictures/previews.ts'
import type { FocalPoint, Recipe } from '../pictures/recipe.ts'
import { makeRendition, type Original, type Refused, type Rendition } from '../pictures/rendition.ts'
import { readAll } from '../pictures/source.ts'
import { agreedType, type MediaType } from '../pictures/true-type.ts'

/** What a decoding process can be asked for. */
export const tasks = { inspect, previews, storyboard, rendition, bare, versions }
export type Tasks = typeof tasks
export type TaskSource = VideoSource

async function inspect(
  source: TaskSource,
  input: { declaredType: string },
  limits: Limits,
): Promise<Inspection> {
  const type = await agreedType(source, input.declaredType)
  if (type === 'video/mp4') return (await import('../films/video.ts')).inspectVideo(source, limits)
  if (type === 'image/heic') return inspectHeic(source, limits)
  return inspectPicture(source, type, limits)
}

export interface Previews {
  pictures: PreviewPicture[]
  /** ThumbHash, base64. */
  placeholder: string
  /** 64 bits in hexadecimal; null for videos, and where there is nothing to compare. */
  perceptualHash: string | null
  /** The pictures only say “a video”: nothing on this machine could decode it. */
  standIn: boolean
}

export interface PreviewsInput {
  mimeType: MediaType
  wanted: WantedPreview[]
  /** A HEIC's own small picture will do: some milliseconds instead of seconds. */
  instant?: boolean | undefined
  /** Of a video: the key frame before this moment, instead of the poster. */
  atSeconds?: number | undefined
  engines: VideoEngine[]
}

async function previews(source: TaskSource, input: PreviewsInput, limits: Limits): Promise<Previews> {
  const { pixels, standIn } = await decode(source, input, limits)
  const { pictures, smallest } = await encodePreviews(pixels, input.wanted)
  return {
    pictures,
    placeholder: placeholder(smallest),
    perceptualHash: input.mimeType === 'video/mp4' ? null : hashOf(smallest),
    standIn,
  }
}

async function decode(
  source: TaskSource,
  { mimeType, wanted, instant, atSeconds, engines }: PreviewsInput,
  limits: Limits,
) {
  const side = largestSide(wanted)
  if (mimeType === 'video/mp4') return (await videos()).posterOf(source, engines, side, atSeconds)
  const pixels =
    mimeType === 'image/heic'
      ? await decodeHeic(source, side, limits, instant)
      : await decodePicture(source, mimeType, side, limits)
  return { pixels, standIn: false }
}

async function storyboard(source: TaskSource, { engines }: { engines: VideoEngine[] }) {
  return (await videos()).storyboardOf(source, engines)
}

export interface RenditionInput {
  mimeType: Exclude<MediaType, 'video/mp4'>
  recipe: Recipe
  focus?: FocalPoint | undefined
}

async function rendition(
  source: TaskSource,
  input: RenditionInput,
  limits: Limits,
): Promise<Rendition | Refused> {
  return makeRendition(await originalOf(source, input.mimeType, limits), input.recipe, input.focus)
}

async function originalOf(
  source: TaskSource,
  type: RenditionInput['mimeType'],
  limits: Limits,
): Promise<Original> {
  return type === 'image/heic'
    ? { ...(await heicSize(source, limits)), decode: (side) => decodeHeic(source, side, limits) }
    : {
        ...(await uprightSize(source, type, limits)),
        decode: (side) => decodePicture(source, type, side, limits),
      }
}

/** The picture as it was uploaded, with nothing beside it. */
async function bare(source: TaskSource, { mimeType }: { mimeType: PictureType }): Promise<Uint8Array> {
  return barePicture(await readAll(source), mimeType)
}

async function versions() {
  return (await import('./versions.ts')).versions()
}

/** Loaded when the first video comes, so that a process for pictures starts in half the time. */
const videos = () => import('../films/video-previews.ts')
