import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { Problem } from '../../problems.ts'
import type { Source } from '../pictures/source.ts'
import type { Confinement } from './confinement.ts'
import { scratchCopy } from './scratch.ts'

export interface Ffmpeg {
  program: string
  version: string
  /** Whether it can write what every browser plays; not every build can. */
  encodes: boolean
}

/** One that is new enough, or why there is none. */
export async function findFfmpeg(setting: 'auto' | 'off' | (string & {})): Promise<Ffmpeg | undefined> {
  if (setting === 'off') return undefined
  const program = setting === 'auto' ? 'ffmpeg' : setting
  const banner = await run(program, ['-version'], { ms: 5000 }).catch(() => Buffer.alloc(0))
  const version = /^ffmpeg version (\S+)/.exec(banner.toString('latin1'))?.[1]
  if (!version || !isNewEnough(version)) return undefined
  const encoders = await run(program, ['-hide_banner', '-encoders'], { ms: 5000 }).catch(() => '')
  const encodes = [/ libx264 /, / aac /].every((encoder) => encoder.test(String(encoders)))
  return { program, version, encodes }
}

/** Builds from the development branch carry no number. */
const isNewEnough = (version: string) =>
  Number.parseInt(/\d+/.exec(version)?.[0] ?? '', 10) >= 5 || /^N-/.test(version)

/** Makes stills of one video; gone with its scratch copy and its processes when disposed of. */
export interface VideoStills extends AsyncDisposable {
  frame(seconds: number, side: number): Promise<Uint8Array>
}

const frameMs = 15_000

export function videoStills(
  ffmpeg: Ffmpeg,
  walls: Confinement,
  source: Source,
  scratchFolder: string,
): VideoStills {
  const over = new AbortController()
  let copy: Promise<FileHandle> | undefined
  return {
    async frame(seconds, side) {
      if (!source.path) copy ??= scratchCopy(source, scratchFolder, over.signal)
      const file = await copy
      const path = source.path ?? '/dev/fd/3'
      const stillAt = async (place: number | undefined) => {
        const [program, args] = walls.around([ffmpeg.program, ...frameArguments(path, place, side)])
        return run(program, args, { ms: frameMs, signal: over.signal, fd: file?.fd })
      }
      try {
        const png = await stillAt(seconds)
        if (png.length > 0) return png
        const first = await stillAt(undefined) // nothing there: the first picture there is
        if (first.length > 0) return first
      } catch (cause) {
        throw undecodable(cause)
      }
      throw undecodable()
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await (await copy?.catch(() => undefined))?.close()
    },
  }
}

/**
 * The demuxer is forced and only files are opened: otherwise a text file named .mp4 could have ffmpeg fetch an
 * address or render the file next to it.
 */
const frameArguments = (path: string, seconds: number | undefined, side: number) => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error'],
  ...['-protocol_whitelist', 'file', '-f', 'mov', '-threads', '1'],
  // By the film's own clock, which need not begin at zero.
  ...(seconds === undefined ? [] : ['-seek_timestamp', '1', '-ss', seconds.toFixed(3)]),
  ...['-i', `file:${path}`],
  ...['-map', '0:v:0', '-frames:v', '1', '-vf', fitting(side)],
  ...['-c:v', 'png', '-pix_fmt', 'rgb24', '-f', 'image2pipe', 'pipe:1'],
]

/** Square pixels, then inside `side` each way and never enlarged. ffmpeg turns the video upright by itself. */
const fitting = (side: number) =>
  `scale=iw*sar:ih,setsar=1,scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`

interface Run {
  ms: number
  signal?: AbortSignal
  /** Becomes the child's file 3. */
  fd?: number | undefined
}

function run(program: string, args: string[], { ms, signal, fd }: Run): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...(fd === undefined ? [] : [fd])],
      env: { PATH: process.env.PATH },
      timeout: ms,
      killSignal: 'SIGKILL',
      signal,
    })
    const chunks: Buffer[] = []
    let complaints = ''
    child.stdout!.on('data', (chunk) => chunks.push(chunk))
    child.stderr!.on('data', (chunk) => {
      complaints = (complaints + chunk).slice(-1000)
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(chunks))
        : reject(new Error(`ffmpeg ended with ${code}: ${complaints}`)),
    )
  })
}

const undecodable = (cause?: unknown) =>
  new Problem('unreadable-media', 'No picture of the video can be decoded. Export it again as MP4.', {
    cause,
  })
