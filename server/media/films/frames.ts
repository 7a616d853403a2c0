import { EncodedPacketSink, type VideoSample, VideoSampleSink } from 'mediabunny'
import { isHdr, toneMap } from '../pictures/hdr.ts'
import { encodable, type Pixels, toPixels } from '../pictures/pixels.ts'
import { unreadable } from '../pictures/refusal.ts'
import { sharp } from '../pictures/sharp.ts'
import type { OpenedVideo } from './video.ts'
import { frameToPixels } from './yuv.ts'

/** Where still pictures of a video come from: upright, and at most so many pixels each way as they were asked for. */
export interface Frames {
  /** Where the nearest key frame before lies: such a one is cheap to decode. */
  keyBefore(seconds: number): Promise<number>
  /** The very ones, in order. Between key frames this may cost the decoding of all that lies before. */
  at(seconds: number[]): AsyncIterable<Still>
}

export interface Still {
  seconds: number
  pixels: Pixels
}

let registered: Promise<boolean> | undefined

/** An optional dependency: absent where its binary does not run, and the library is whole without it. */
export function nodeAvLoads(): Promise<boolean> {
  registered ??= Promise.all([import('@mediabunny/server'), import('node-av')]).then(
    ([{ registerMediabunnyServer }, library]) => {
      encodeWithoutHardware(library)
      registerMediabunnyServer({ hardwareContext: () => null })
      return true
    },
    () => false,
  )
  return registered
}

/** Of several encoders the first is taken, and for ARM that is one for a chip that hardly any machine has. */
function encodeWithoutHardware({ Codec, AV_CODEC_ID_H264, FF_ENCODER_LIBX264 }: typeof import('node-av')) {
  const first = Codec.findEncoder.bind(Codec)
  Codec.findEncoder = (id) =>
    (id === AV_CODEC_ID_H264 ? Codec.findEncoderByName(FF_ENCODER_LIBX264) : null) ?? first(id)
}

/** Undefined if there is no decoder for this video. */
export async function nodeAvFrames(video: OpenedVideo, side: number): Promise<Frames | undefined> {
  const { track } = video
  if (!(await nodeAvLoads()) || !(await track.canDecode())) return undefined
  const samples = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' })
  return {
    keyBefore: (seconds) => keyFrameBefore(video, seconds),
    async *at(seconds) {
      const shown = seconds.map((second) => Math.max(second, video.startSeconds))
      for await (const sample of samples.samplesAtTimestamps(shown))
        yield stillOf(sample ?? (await firstOf(samples)), side)
    },
  }
}

async function firstOf(samples: VideoSampleSink): Promise<VideoSample> {
  for await (const sample of samples.samples()) return sample
  throw unreadable('No picture of the video can be decoded. Export it again as MP4.')
}

async function stillOf(sample: VideoSample, side: number): Promise<Still> {
  using frame = sample
  const { squarePixelWidth, squarePixelHeight } = frame
  const scale = Math.min(1, side / Math.max(squarePixelWidth, squarePixelHeight))
  const scaled = (length: number) => Math.max(1, Math.round(length * scale))
  const small = await frameToPixels(frame, scaled(squarePixelWidth), scaled(squarePixelHeight))
  return { seconds: frame.timestamp, pixels: await turned(small, frame.rotation, frame.flip) }
}

async function turned(pixels: Pixels, rotation: number, mirrored: boolean): Promise<Pixels> {
  const rotated = rotation ? await toPixels(encodable(pixels).rotate(rotation)) : pixels
  return mirrored ? toPixels(encodable(rotated).flop()) : rotated
}

export type AskFrame = (seconds: number, side: number) => Promise<Uint8Array>

/** Stills that the parent has an ffmpeg make, as PNG; see `ffmpeg.ts`. */
export function askedFrames(video: OpenedVideo, ask: AskFrame, side: number): Frames {
  const still = async (wanted: number): Promise<Still> => {
    const seconds = Math.max(wanted, video.startSeconds)
    const pixels = await toPixels(sharp(await ask(seconds, side)).removeAlpha())
    const { transfer } = await video.track.getColorSpace()
    // ffmpeg hands on the light as it was written.
    if (isHdr(transfer)) toneMap(pixels, transfer)
    return { seconds, pixels }
  }
  return {
    keyBefore: (seconds) => keyFrameBefore(video, seconds),
    async *at(seconds) {
      for (const second of seconds) yield still(second)
    },
  }
}

async function keyFrameBefore({ track, startSeconds }: OpenedVideo, seconds: number): Promise<number> {
  const packets = new EncodedPacketSink(track)
  const key = await packets.getKeyPacket(Math.max(seconds, startSeconds), { metadataOnly: true })
  return Math.max(startSeconds, key?.timestamp ?? startSeconds)
}
