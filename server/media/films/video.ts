import { CustomSource, EncodedPacketSink, Input, type InputVideoTrack, MP4, QTFF } from 'mediabunny'
import { mediaTypes } from '../../../contract/media-types.ts'
import { boxesAreWhole, creationTime } from '../pictures/boxes.ts'
import type { Header, Limits } from '../pictures/inspection.ts'
import { checkSides } from '../pictures/picture.ts'
import { cutShort, Refusal, unreadable } from '../pictures/refusal.ts'
import type { Source } from '../pictures/source.ts'
import { isAnother } from '../pictures/true-type.ts'
import { isEncrypted } from './encryption.ts'
import { samplesFit } from './sample-counts.ts'

/** An MP4 file with its video track found. Only the ranges that the parser asks for are read. */
export interface OpenedVideo extends Disposable {
  input: Input
  track: InputVideoTrack
  durationSeconds: number
  /** When the first picture is shown; the sound may begin before. */
  startSeconds: number
}

export async function openVideo(source: Source): Promise<OpenedVideo> {
  const input = new Input({
    formats: [MP4, QTFF],
    source: new CustomSource({
      getSize: () => source.sizeBytes,
      read: (start, end) => source.read(start, end),
      prefetchProfile: source.path ? 'fileSystem' : 'network',
    }),
  })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw noVideo()
    const durationSeconds =
      (await input.getDurationFromMetadata([track])) ?? (await input.computeDuration([track]))
    const startSeconds = Math.max(0, await track.getFirstTimestamp())
    return { input, track, durationSeconds, startSeconds, [Symbol.dispose]: () => input.dispose() }
  } catch (error) {
    input.dispose()
    throw error
  }
}

export async function inspectVideo(source: Source, limits: Limits): Promise<Header> {
  try {
    if (await isEncrypted(source)) throw encrypted()
    if (!(await samplesFit(source))) throw tooManySamples()
    using video = await openVideo(source)
    if (!(await holdsWhatMp4Holds(video))) throw isAnother('video/mp4', mediaTypes['video/mp4'].mayLookLike)
    if (!(await boxesAreWhole(source))) throw cutShort()
    return await factsOf(video, source, limits)
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') throw error
    throw unreadable('The MP4 header cannot be read. Export the video again as MP4.', error)
  }
}

const mp4Codecs = ['h264', 'hevc', 'vp9', 'av1', 'mp4v']

/** Some phones and cameras write MP4 under QuickTime's brand; what else QuickTime holds is not played elsewhere. */
const holdsWhatMp4Holds = async ({ input, track }: OpenedVideo) =>
  (await input.getFormat()) === MP4 || mp4Codecs.includes(await codecOf(track))

async function factsOf(
  { input, track, durationSeconds }: OpenedVideo,
  source: Source,
  limits: Limits,
): Promise<Header> {
  const width = await track.getDisplayWidth()
  const height = await track.getDisplayHeight()
  checkSides(width, height, limits)
  if (!(durationSeconds > 0) || !(await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })))
    throw noVideo()

  const sound = await input.getPrimaryAudioTrack()
  const { averagePacketRate } = await track.computePacketStats(100)
  const colour = await track.getColorSpace()
  const { capturedAt, hasGps } = await notesOf(input, source)
  return {
    mimeType: 'video/mp4',
    width,
    height,
    durationSeconds: round(durationSeconds),
    videoCodec: await codecOf(track),
    audioCodec: sound && (await codecOf(sound)),
    frameRate: averagePacketRate > 0 ? round(averagePacketRate) : null,
    colourSpace:
      [colour.primaries, colour.transfer !== colour.primaries && colour.transfer].filter(Boolean).join(' ') ||
      null,
    hasAlpha: false,
    isAnimated: true,
    isTurned: false,
    capturedAt,
    hasGps,
  }
}

const commonNames: Record<string, string> = { avc: 'h264' }

async function codecOf(track: {
  getCodec(): Promise<string | null>
  getInternalCodecId(): Promise<unknown>
}) {
  const codec = await track.getCodec()
  if (codec) return commonNames[codec] ?? codec
  const id = await track.getInternalCodecId()
  return typeof id === 'string' ? id.replace(/\P{ASCII}|\p{Cc}/gu, '').trim() || 'unknown' : 'unknown'
}

/** What a film says of itself in words. */
export async function wordsIn(source: Source): Promise<{ place: 'film'; name: string; words: string }[]> {
  using video = await openVideo(source)
  const raw = (await video.input.getMetadataTags()).raw ?? {}
  return Object.entries(raw).flatMap(([name, words]) =>
    typeof words === 'string' ? [{ place: 'film' as const, name, words: words.slice(0, longestWords) }] : [],
  )
}

const longestWords = 100_000

const dateTags = ['com.apple.quicktime.creationdate', 'creation_time', '©day']
const placeTags = /^(©xyz|loci|location.*|com\.apple\.quicktime\.location\..*)$/

async function notesOf(input: Input, source: Source): Promise<Pick<Header, 'capturedAt' | 'hasGps'>> {
  const raw = (await input.getMetadataTags()).raw ?? {}
  const named = dateTags.map((tag) => raw[tag]).find((value) => typeof value === 'string')
  const told = typeof named === 'string' ? new Date(named) : undefined
  const captured = told && !Number.isNaN(told.getTime()) ? told : await creationTime(source)
  return {
    capturedAt: captured?.toISOString() ?? null,
    hasGps: Object.keys(raw).some((tag) => placeTags.test(tag)),
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000

const encrypted = () =>
  new Refusal(
    'encrypted-media',
    'The video is encrypted: without its key nobody can show it. Export it again without copy protection.',
  )

const tooManySamples = () =>
  unreadable('The MP4 tells of more pictures than there is room for in it. Export the video again as MP4.')

const noVideo = () =>
  new Refusal(
    'no-pictures',
    'The MP4 file has no video in it, or its index is missing. Export it again as MP4 with a video track.',
  )
