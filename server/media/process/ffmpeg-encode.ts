import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Problem } from '../../problems.ts'
import { type FilmOrder, soundBits } from '../films/playable.ts'
import type { Source } from '../pictures/source.ts'
import type { Confinement } from './confinement.ts'
import type { FilmSink } from './decoding-process.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { scratchCopy } from './scratch.ts'

/** Has an ffmpeg encode the film. It may write no file: what it makes comes through a pipe, in pieces. */
export async function encodeByFfmpeg(
  ffmpeg: Ffmpeg,
  walls: Confinement,
  {
    source,
    order,
    scratchFolder,
    sink,
    timeoutMs,
    signal: abandoned,
  }: {
    source: Source
    order: FilmOrder
    scratchFolder: string
    sink: FilmSink
    timeoutMs: number
    signal?: AbortSignal | undefined
  },
): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(abandoned ? [abandoned] : [])])
  const copy: FileHandle | undefined = source.path
    ? undefined
    : await scratchCopy(source, scratchFolder, signal)
  try {
    const path = source.path ?? '/dev/fd/4'
    const [program, args] = walls.around([ffmpeg.program, ...encodeArguments(path, order)])
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(copy ? [copy.fd] : [])],
      env: { PATH: process.env.PATH },
      killSignal: 'SIGKILL',
      signal,
    })
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    ended.catch(() => {})
    let complaints = ''
    child.stderr!.on('data', (chunk) => {
      complaints = (complaints + chunk).slice(-1000)
    })
    ;(child.stdio[3] as Readable).on('data', (text) => {
      const at = /out_time_us=(\d+)/.exec(String(text))?.[1]
      if (at) void sink.progress(Math.min(1, Number(at) / 1e6 / order.durationSeconds))
    })
    let position = 0
    try {
      for await (const chunk of child.stdout!) {
        await sink.write(position, chunk)
        position += chunk.length
      }
    } finally {
      child.kill('SIGKILL')
    }
    const code = await ended
    if (code !== 0 && position === 0) throw new Error(`ffmpeg ended with ${code}: ${complaints}`)
    if (code !== 0) throw new Error(`ffmpeg stopped within the film (${code}): ${complaints}`)
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    abandoned?.throwIfAborted()
    throw signal.aborted
      ? new Problem('unreadable-media', 'It takes too long to encode. Export it again as MP4 with H.264.', {
          cause,
        })
      : new Problem('unreadable-media', 'The film cannot be encoded. Export it again as MP4 with H.264.', {
          cause,
        })
  } finally {
    await copy?.close()
  }
}

/** The demuxer is forced and only files are opened, as for stills. One thread: nobody waits for it. */
const encodeArguments = (path: string, order: FilmOrder) => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-progress', 'pipe:3', '-stats_period', '1'],
  ...['-protocol_whitelist', 'file', '-f', 'mov', '-threads', '1', ...partOf(order), '-i', `file:${path}`],
  ...['-map', '0:v:0', ...(order.sound === 'none' ? [] : ['-map', '0:a:0'])],
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'],
  ...(order.video === 'copy' ? ['-c:v', 'copy'] : h264(order)),
  ...(order.sound === 'copy' ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', String(soundBits), '-ac', '2']),
  // Without the delay it cannot say that the encoder's first pictures come late, and they would, behind their sound.
  ...['-movflags', 'frag_keyframe+empty_moov+delay_moov+default_base_moof', '-f', 'mp4', 'pipe:1'],
]

const partOf = ({ range }: FilmOrder) =>
  range ? ['-ss', String(range.startSeconds), '-t', String(range.endSeconds - range.startSeconds)] : []

const h264 = ({ width, height, isHdr, frameRate, videoBits = 4_000_000 }: FilmOrder) => [
  ...['-filter_threads', '1', '-vf'],
  [
    ...(frameRate ? [`fps=${frameRate}`] : []),
    ...(isHdr ? toSdr : []),
    ...[`scale=${width}:${height}`, 'setsar=1', 'format=yuv420p'],
  ].join(),
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-threads', '1', '-profile:v', 'high'],
  ...['-maxrate', String(videoBits), '-bufsize', String(videoBits * 2)],
  ...['-force_key_frames', 'expr:gte(t,n_forced*2)'],
]

const toSdr = [
  'zscale=transfer=linear:npl=150',
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=clip',
  'zscale=transfer=bt709:matrix=bt709:range=limited',
]
