import {
  Conversion,
  type ConversionVideoOptions,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
  VideoSample,
} from 'mediabunny'
import type { Size } from '../../../contract/ratios.ts'
import { encodable } from '../pictures/pixels.ts'
import { unreadable } from '../pictures/refusal.ts'
import type { Source } from '../pictures/source.ts'
import { filmMarker } from '../pictures/watermark.ts'
import { nodeAvLoads } from './frames.ts'
import { type FilmOrder, soundBits, videoBitsOf } from './playable.ts'
import { openVideo } from './video.ts'
import { frameToPixels } from './yuv.ts'

/** Where a film that is being made goes. */
export interface FilmSource extends Source {
  write(position: number, bytes: Uint8Array): Promise<void>
  progress(share: number): Promise<void>
}

const chunkSize = 1024 * 1024
const keyFrameSeconds = 2

/** Encodes by the bundled library what the order says. In pieces, so that nothing but a piece is held in memory. */
export async function encodeFilm(source: FilmSource, order: FilmOrder): Promise<void> {
  if (!(await nodeAvLoads())) throw unreadable('There is no encoder for it here.')
  using film = await openVideo(source)
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'fragmented' }),
    target: streamTo(source),
  })
  const { width, height, range, frameRate } = order
  const isTurned = (await film.track.getRotation()) % 180 !== 0
  const coded = isTurned ? { width: height, height: width } : order
  const mark = order.watermark === undefined ? undefined : await filmMarker(coded, order.watermark)
  const conversion = await Conversion.init({
    input: film.input,
    output,
    tags: {},
    showWarnings: false,
    ...(range && { trim: { start: range.startSeconds, end: range.endSeconds } }),
    video: (track) => {
      if (track.id !== film.track.id) return { discard: true }
      if (order.video === 'copy') return {}
      return {
        codec: 'avc',
        ...(order.isHdr || mark
          ? redrawn(coded, mark)
          : { width, height, fit: 'fill', allowTransformationMetadata: false }),
        ...(frameRate && { frameRate }),
        bitrate: videoBitsOf(order),
        keyFrameInterval: keyFrameSeconds,
        forceTranscode: true,
      }
    },
    audio: (_, n) =>
      n > 1 || order.sound === 'none'
        ? { discard: true }
        : { codec: 'aac', numberOfChannels: 2, bitrate: soundBits },
  })
  if (!conversion.utilizedTracks.some(({ type }) => type === 'video'))
    throw unreadable('Its pictures cannot be decoded here.')
  conversion.onProgress = (share) => void source.progress(share)
  await conversion.execute()
}

/**
 * Picture by picture: as in posters, light is brought below white, and orange stays orange; a watermark is laid over it.
 * It is turned as it was, by a note in the film.
 */
const redrawn = (
  { width, height }: Size,
  mark: ((rgbx: Uint8Array) => void) | undefined,
): ConversionVideoOptions => ({
  processedWidth: width,
  processedHeight: height,
  async process(frame) {
    const data = await encodable(await frameToPixels(frame, width, height))
      .ensureAlpha()
      .raw()
      .toBuffer()
    mark?.(data)
    const { timestamp, duration } = frame
    return new VideoSample(data, {
      format: 'RGBX',
      codedWidth: width,
      codedHeight: height,
      timestamp,
      duration,
    })
  },
})

/** The first pictures and the first sound alone, packet by packet, with the index in front: it plays while it loads. */
export async function repackFilm(source: FilmSource): Promise<Size> {
  using film = await openVideo(source)
  const sound = await film.input.getPrimaryAudioTrack()
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: streamTo(source),
  })
  const first = Math.min(await film.track.getFirstTimestamp(), (await sound?.getFirstTimestamp()) ?? Infinity)
  const packets = async (track: InputVideoTrack | InputAudioTrack) =>
    (await track.computePacketStats()).packetCount

  const pictures = new EncodedVideoPacketSource((await film.track.getCodec())!)
  output.addVideoTrack(pictures, {
    rotation: await film.track.getRotation(),
    maximumPacketCount: await packets(film.track),
  })
  const copies = [copying(film.track, pictures, -first)]
  if (sound) {
    const notes = new EncodedAudioPacketSource((await sound.getCodec())!)
    output.addAudioTrack(notes, { maximumPacketCount: await packets(sound) })
    copies.push(copying(sound, notes, -first))
  }
  await output.start()
  await Promise.all(copies.map((copy) => copy()))
  await output.finalize()
  return { width: await film.track.getDisplayWidth(), height: await film.track.getDisplayHeight() }
}

const copying =
  (
    track: InputVideoTrack | InputAudioTrack,
    to: EncodedVideoPacketSource | EncodedAudioPacketSource,
    later: number,
  ) =>
  async () => {
    const decoderConfig = (await track.getDecoderConfig()) ?? undefined
    for await (const packet of new EncodedPacketSink(track).packets())
      await (to as { add(packet: EncodedPacket, meta: object): Promise<void> }).add(
        packet.clone({ timestamp: packet.timestamp + later }),
        { decoderConfig },
      )
    to.close()
  }

const streamTo = (source: FilmSource) =>
  new StreamTarget(
    new WritableStream<StreamTargetChunk>({
      write: ({ data, position }) => source.write(position, data),
    }),
    { chunked: true, chunkSize },
  )
