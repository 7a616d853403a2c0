import type { FilmDecoder, FilmSource } from './film-previews.ts'
import { decodeHeic, heicSize, inspectHeic } from './heic.ts'
import type { Inspection, Limits } from './inspection.ts'
import { decodePicture, inspectPicture, uprightSize } from './picture.ts'
import type { WantedPreview } from './preview-sizes.ts'
import { encodePreviews, hashOf, largestSide, type PreviewPicture, placeholder } from './previews.ts'
import type { FocalPoint, Recipe } from './recipe.ts'
import { makeRendition, type Refused, type Rendition } from './rendition.ts'
import { agreedType, type MediaType } from './true-type.ts'

/** What a decoding process can be asked for. */
export const tasks = { inspect, previews, storyboard, rendition, versions }
export type Tasks = typeof tasks
export type TaskSource = FilmSource

async function inspect(
  source: TaskSource,
  input: { declaredType: string },
  limits: Limits,
): Promise<Inspection> {
  const type = await agreedType(source, input.declaredType)
  if (type === 'video/mp4') return (await import('./film.ts')).inspectFilm(source, limits)
  if (type === 'image/heic') return inspectHeic(source, limits)
  return inspectPicture(source, type, limits)
}

export interface Previews {
  pictures: PreviewPicture[]
  /** ThumbHash, base64. */
  placeholder: string
  /** 64 bits in hexadecimal; null for films, and where there is nothing to compare. */
  perceptualHash: string | null
  /** The pictures only say “a film”: nothing on this machine could decode it. */
  standIn: boolean
}

export interface PreviewsInput {
  mimeType: MediaType
  wanted: WantedPreview[]
  /** A HEIC's own small picture will do: some milliseconds instead of seconds. */
  instant?: boolean | undefined
  decoders: FilmDecoder[]
}

async function previews(source: TaskSource, input: PreviewsInput, limits: Limits): Promise<Previews> {
  const { pixels, standIn } = await decode(source, input, limits)
  return {
    pictures: await encodePreviews(pixels, input.wanted),
    placeholder: await placeholder(pixels),
    perceptualHash: input.mimeType === 'video/mp4' ? null : await hashOf(pixels),
    standIn,
  }
}

async function decode(
  source: TaskSource,
  { mimeType, wanted, instant, decoders }: PreviewsInput,
  limits: Limits,
) {
  const side = largestSide(wanted)
  if (mimeType === 'video/mp4') return (await films()).posterOf(source, decoders, side)
  const pixels =
    mimeType === 'image/heic'
      ? await decodeHeic(source, side, limits, instant)
      : await decodePicture(source, side, limits)
  return { pixels, standIn: false }
}

async function storyboard(source: TaskSource, { decoders }: { decoders: FilmDecoder[] }) {
  return (await films()).storyboardOf(source, decoders)
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
  const isHeic = input.mimeType === 'image/heic'
  const { width, height } = isHeic ? await heicSize(source, limits) : await uprightSize(source, limits)
  const decode = (side: number) =>
    isHeic ? decodeHeic(source, side, limits) : decodePicture(source, side, limits)
  return makeRendition({ width, height, decode }, input.recipe, input.focus)
}

async function versions() {
  return (await import('./versions.ts')).versions()
}

/** Loaded when the first film comes, so that a process for pictures starts in half the time. */
const films = () => import('./film-previews.ts')
