import type { FileEvidence } from '../../../contract/evidence.ts'
import { type FilmType, isFilm, type MediaType, type StillType } from '../../../contract/media-types.ts'
import type { OcrLanguage } from '../../../contract/ocr-languages.ts'
import type { Point } from '../../../contract/ratios.ts'
import type { FilmSource } from '../films/copy.ts'
import type { FilmOrder } from '../films/playable.ts'
import type { VideoEngine, VideoSource } from '../films/video-previews.ts'
import { attentionOf } from '../pictures/attention.ts'
import { barePicture } from '../pictures/bare.ts'
import type { PictureType } from '../pictures/completeness.ts'
import { decodeHeic, inspectHeic } from '../pictures/heic.ts'
import type { Header, Inspection, Limits } from '../pictures/inspection.ts'
import { decodePicture, inspectPicture } from '../pictures/picture.ts'
import type { Pixels } from '../pictures/pixels.ts'
import {
  encodePreviews,
  hashOf,
  largestSide,
  type PreviewPicture,
  placeholder,
  type WantedPreview,
} from '../pictures/previews.ts'
import { type Missed, type Rendition, type Transformation, transform } from '../pictures/rendition.ts'
import { readAll } from '../pictures/source.ts'
import { agreedType } from '../pictures/true-type.ts'
import type { Credentials, CredentialsInput } from '../provenance/credentials.ts'
import { evidenceOf } from '../provenance/evidence.ts'
import { noMarks } from '../provenance/marks.ts'
import { marksIn } from '../provenance/marks-in.ts'
import type { Action, Signing } from '../provenance/sign.ts'

interface Still {
  inspect(source: TaskSource, limits: Limits): Promise<Header>
  decode(source: TaskSource, side: number, limits: Limits, instant?: boolean): Promise<Pixels>
}

const picture = (type: PictureType): Still => ({
  inspect: (source, limits) => inspectPicture(source, type, limits),
  decode: (source, side, limits) => decodePicture(source, type, side, limits),
})

const stills: Record<StillType, Still> = {
  'image/jpeg': picture('image/jpeg'),
  'image/png': picture('image/png'),
  'image/webp': picture('image/webp'),
  'image/heic': { inspect: inspectHeic, decode: decodeHeic },
}

const films: Record<FilmType, Pick<Still, 'inspect'>> = {
  'video/mp4': {
    inspect: async (source, limits) => (await import('../films/video.ts')).inspectVideo(source, limits),
  },
}

/** What a decoding process can be asked for. */
export const tasks = {
  inspect,
  evidence,
  credentials,
  previews,
  looks,
  text,
  storyboard,
  rendition,
  bare,
  signature,
  encode,
  repack,
  signedFilm,
  versions,
}
export type Tasks = typeof tasks
export type TaskSource = VideoSource & FilmSource & { sign(claim: Uint8Array): Promise<Uint8Array> }

async function inspect(
  source: TaskSource,
  input: { declaredType: string },
  limits: Limits,
): Promise<Inspection> {
  const type = await agreedType(source, input.declaredType)
  const found = await (isFilm(type) ? films[type] : stills[type]).inspect(source, limits)
  return { ...found, evidence: await evidence(source, { mimeType: type }, limits) }
}

/** What the file says of how it came about. Nothing that it says there makes it one that cannot be taken. */
async function evidence(
  source: TaskSource,
  { mimeType }: { mimeType: MediaType },
  limits: Limits,
): Promise<FileEvidence> {
  return evidenceOf(await marksIn(source, mimeType, limits).catch(noMarks))
}

/** The C2PA manifest of a file that has one. */
async function credentials(source: TaskSource, input: CredentialsInput): Promise<Credentials> {
  return (await import('../provenance/credentials.ts')).credentialsOf(source, input)
}

export interface Previews {
  pictures: PreviewPicture[]
  /** The pictures only say “a video”: nothing on this machine could decode it. */
  standIn: boolean
}

/** What is known of a picture once it was seen. */
export interface Looks {
  /** ThumbHash, base64. */
  placeholder: string
  /** 64 bits in hexadecimal; null for videos, and where there is nothing to compare. */
  perceptualHash: string | null
  /** What draws the eye; null for videos, and where nothing does. */
  attention: Point | null
}

export interface PreviewsInput {
  mimeType: MediaType
  wanted: WantedPreview[]
  /** A HEIC's own small picture will do: some milliseconds instead of seconds. */
  instant?: boolean | undefined
  /** Of a video: the key frame before this moment, instead of the poster. */
  atSeconds?: number | undefined
  engines: VideoEngine[]
  /** Drawn over every picture. */
  watermark?: string | undefined
}

async function previews(source: TaskSource, input: PreviewsInput, limits: Limits): Promise<Previews> {
  const { pictures, standIn } = await decodeAndEncode(source, input, limits)
  return { pictures, standIn }
}

/** Both from one decoding. */
async function looks(source: TaskSource, input: PreviewsInput, limits: Limits): Promise<Previews & Looks> {
  const { pictures, standIn, smallest } = await decodeAndEncode(source, input, limits)
  return {
    pictures,
    standIn,
    placeholder: placeholder(smallest),
    perceptualHash: isFilm(input.mimeType) ? null : hashOf(smallest),
    attention: isFilm(input.mimeType) ? null : await attentionOf(smallest),
  }
}

async function decodeAndEncode(source: TaskSource, input: PreviewsInput, limits: Limits) {
  const { pixels, standIn } = await decode(source, input, limits)
  return { ...(await encodePreviews(pixels, input.wanted, input.watermark)), standIn }
}

async function decode(
  source: TaskSource,
  { mimeType, wanted, instant, atSeconds, engines }: PreviewsInput,
  limits: Limits,
) {
  const side = largestSide(wanted)
  if (isFilm(mimeType)) return (await videos()).posterOf(source, engines, side, atSeconds)
  return { pixels: await stills[mimeType].decode(source, side, limits, instant), standIn: false }
}

/** The text in a preview that was made here. */
async function text(source: TaskSource, { languages }: { languages: OcrLanguage[] }): Promise<string> {
  return (await import('../ocr/text-in.ts')).textIn(await readAll(source), languages)
}

async function storyboard(source: TaskSource, { engines }: { engines: VideoEngine[] }) {
  return (await videos()).storyboardOf(source, engines)
}

export interface RenditionInput {
  mimeType: StillType
  order: Transformation
  signing?: Signing | undefined
}

async function rendition(
  source: TaskSource,
  { mimeType, order, signing }: RenditionInput,
  limits: Limits,
): Promise<Rendition | Missed> {
  const make = (order: Transformation) =>
    transform((side) => stills[mimeType].decode(source, side, limits), order)
  if (!signing) return make(order)
  const { signedRendition } = await import('../provenance/signed-rendition.ts')
  return signedRendition({ ...source, mimeType }, order, make, signing)
}

/** The picture as it was uploaded, with nothing beside it. */
async function bare(source: TaskSource, { mimeType, packet, signing }: BareInput): Promise<Uint8Array> {
  const bytes = barePicture(await readAll(source), mimeType, packet)
  if (!signing) return bytes
  const { signed } = await import('../provenance/sign.ts')
  return signed({ ...source, mimeType }, { bytes, mimeType, actions: ['c2pa.edited.metadata'] }, signing)
}

export interface BareInput {
  mimeType: PictureType
  packet?: string | undefined
  signing?: Signing | undefined
}

export interface SignedFilmInput {
  signing: Signing
  actions: Action[]
  /** Where the original lies, if its manifest goes along. */
  original?: { path: string; sizeBytes: number } | undefined
}

/** A film that was made here, with a manifest. */
async function signedFilm(
  source: TaskSource,
  { signing, actions, original }: SignedFilmInput,
): Promise<void> {
  const { signed } = await import('../provenance/sign.ts')
  const [mimeType, { read, sign, write }] = ['video/mp4' as const, source]
  const made = { bytes: await readAll(source), mimeType, actions }
  const file = await signed({ sizeBytes: 0, ...original, mimeType, read, sign }, made, signing)
  for (let at = 0; at < file.length; at += pieceBytes) await write(at, file.subarray(at, at + pieceBytes))
}

const pieceBytes = 1024 ** 2

/** What is wrong with a signature that is made now; null where it holds. */
async function signature(source: TaskSource, signing: Signing): Promise<string | null> {
  return (await import('../provenance/trial-signature.ts')).trialSignature(source.sign, signing)
}

/** A film, as the order says, in pieces. */
async function encode(source: TaskSource, { order }: { order: FilmOrder }) {
  return (await import('../films/copy.ts')).encodeFilm(source, order)
}

/** The same film with its index in front, and nothing in it but pictures and sound. */
async function repack(source: TaskSource) {
  return (await import('../films/copy.ts')).repackFilm(source)
}

async function versions() {
  return (await import('./versions.ts')).versions()
}

/** Loaded when the first video comes, so that a process for pictures starts in half the time. */
const videos = () => import('../films/video-previews.ts')
