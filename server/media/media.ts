import { availableParallelism, totalmem } from 'node:os'
import type { FileEvidence } from '../../contract/evidence.ts'
import { isFilm, type MediaType, type StillType } from '../../contract/media-types.ts'
import type { OcrLanguage } from '../../contract/ocr-languages.ts'
import { Problem } from '../problems.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { noTracer, type Tracer } from '../telemetry/tracing.ts'
import { filmNotes } from './films/film-notes.ts'
import { type FilmOrder, videoBitsOf } from './films/playable.ts'
import type { Storyboard } from './films/storyboard.ts'
import type { VideoEngine } from './films/video-previews.ts'
import { once } from './once.ts'
import type { PictureType } from './pictures/completeness.ts'
import { defaultLimits, type Inspection, type Limits } from './pictures/inspection.ts'
import type { WantedPreview } from './pictures/previews.ts'
import type { Missed, Rendition, Transformation } from './pictures/rendition.ts'
import type { Source } from './pictures/source.ts'
import { findConfinement, lowPriority } from './process/confinement.ts'
import type { Task } from './process/decoding-process.ts'
import { findFfmpeg, videoStills } from './process/ffmpeg.ts'
import { encodeByFfmpeg } from './process/ffmpeg-encode.ts'
import { type MadeFilm, openFilmFile } from './process/film-file.ts'
import { openPool } from './process/pool.ts'
import { localFile } from './process/scratch.ts'
import type { Looks, Previews, Tasks } from './process/tasks.ts'
import type { Versions } from './process/versions.ts'
import { strongest } from './provenance/evidence.ts'
import { type Carried, xmpBox } from './provenance/kept-marks.ts'
import type { Action, Signing } from './provenance/sign.ts'
import { openSignatures, type SignatureState } from './provenance/signatures.ts'
import type { C2paSettings } from './provenance/signer.ts'

export interface Media {
  /**
   * What the header says, or a `Problem`: `unsupported-type`, `type-mismatch`, `unreadable-media`. Of a large file the
   * signature is left `unread`.
   */
  inspect(source: Source, declaredType: string): Promise<Inspection>
  /** What the file says of how it came about, with the C2PA manifest it may have. */
  evidence(source: Source, mimeType: MediaType): Promise<FileEvidence>
  previews(
    source: Source,
    mimeType: MediaType,
    wanted: WantedPreview[],
    options?: { instant?: boolean; atSeconds?: number | undefined; watermark?: string | undefined },
  ): Promise<Previews>
  /** The same, with what is known of the picture once it was seen. */
  looks(source: Source, mimeType: MediaType, wanted: WantedPreview[]): Promise<Previews & Looks>
  /** The text in a preview of a picture: in the first of the languages that reads it well, empty where there is none. */
  text(preview: Source, languages: OcrLanguage[]): Promise<string>
  /** Null where nothing on this machine can decode the video. */
  storyboard(source: Source): Promise<Storyboard | null>
  /** Signed, where something is carried on and this server has a certificate. */
  rendition(
    source: Source,
    mimeType: StillType,
    order: Transformation,
    carried?: Carried,
  ): Promise<Rendition | Missed>
  /** Another film of it. Null where it has to be encoded, and nothing on this machine can. */
  film(source: Source, order: FilmOrder, making?: FilmMaking): Promise<MadeFilm | null>
  /** The same picture, bit for bit, without anything that is not the picture but XMP that is given. */
  bare(source: Source, mimeType: PictureType, packet?: string, carried?: Carried): Promise<Uint8Array>
  /** What tells files that this server signs now from all others; undefined where it signs none. */
  signatureMark(): Promise<string | undefined>
  /** The same for one client, whose tasks wait for each other and take turns with those of other clients. */
  of(clientId: string): Media
  capabilities(): Promise<Capabilities>
  close(): Promise<void>
}

/** For whom a film is made. */
export interface FilmMaking {
  progress?: (share: number) => void
  /** Ends the process that is at it. */
  signal?: AbortSignal
  /** XMP that goes out with it. */
  packet?: string | undefined
  /** What a manifest says of the original, where this server signs; it is left out of a film that would be too large with it. */
  carried?: Carried | undefined
  maxBytes?: number | undefined
}

export interface MediaOptions {
  /** Where a video from a store is put while ffmpeg looks at it. */
  scratchFolder: string
  /** A system ffmpeg: looked for, never used, or this one and before all else. */
  ffmpeg?: 'auto' | 'off' | (string & {})
  /** Whether the decoder that comes as an optional dependency may be used. */
  nodeAv?: boolean
  processes?: number
  memoryCapMb?: number
  queueLength?: number
  limits?: Limits
  /** What signs here, and whose signatures are known. */
  c2pa?: C2paSettings | undefined
  timeouts?: Partial<Record<keyof Tasks, number>>
  metrics?: Metrics
  tracer?: Tracer
}

export interface Capabilities extends Versions {
  ffmpeg: string | null
  /** What makes posters here. */
  video: VideoEngine | 'none'
  /** What makes copies here that every browser plays. */
  encoder: VideoEngine | 'none'
  /** Which walls stand around the decoding processes. */
  confined: { memory: boolean; network: boolean; diesWithParent: boolean }
  signatures: SignatureState
  /** What an administrator can do about what is missing. */
  fix?: string
  /** The same about words in pictures. */
  ocrFix?: string
}

/** What a task may have of this process. */
type Help = Partial<Pick<Task, 'frame' | 'sign' | 'sink' | 'timeoutMs' | 'signal'>>

const timeLimits: Record<keyof Tasks, number> = {
  inspect: 6_000,
  evidence: 6_000,
  credentials: 30_000,
  previews: 30_000,
  looks: 30_000,
  text: 60_000,
  storyboard: 60_000,
  rendition: 60_000,
  bare: 60_000,
  signature: 60_000,
  encode: 60_000,
  repack: 60_000,
  signedFilm: 60_000,
  versions: 10_000,
}

/** One more than there are processors: none stands still while a result is put away. They may fill half of the memory. */
function processesHere(memoryCapMb: number): number {
  const memoryMb = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20
  return Math.max(
    2,
    Math.min(availableParallelism() + 1, mostProcesses, Math.floor(memoryMb / 2 / memoryCapMb)),
  )
}
const mostProcesses = 9

// Thread stacks and V8's spare space count as data though nothing is in them.
const untouchedMb = 512

export function openMedia(options: MediaOptions): Media {
  const {
    memoryCapMb = 900,
    processes = processesHere(memoryCapMb),
    queueLength = 200,
    limits = defaultLimits,
    scratchFolder,
  } = options
  const { ffmpeg: setting = 'auto', nodeAv = true, metrics, tracer = noTracer } = options
  const timeouts = { ...timeLimits, ...options.timeouts }
  const walls = once(() => findConfinement(memoryCapMb + untouchedMb))
  const ffmpeg = once(() => findFfmpeg(setting))
  const pool = openPool({ processes, memoryCapMb, queueLength, walls, metrics })
  const behind = once(async () => lowPriority(await walls()))
  // What takes minutes has processes of its own, so that nobody's preview waits for it: one for each job that makes films, and one to read.
  const patientPool = openPool({ processes: 4, memoryCapMb, queueLength, walls: behind })
  const signatures = openSignatures(options.c2pa ?? {}, async (signer) => {
    const { algorithm, signatureBytes, sign } = signer
    const signing = { algorithm, signatureBytes, hasManifest: false, digitalSourceType: null }
    return run('', 'signature', nothing, signing, { sign })
  })
  const versions = once(() => run('', 'versions', nothing, undefined as never))

  async function run<Kind extends keyof Tasks>(
    clientId: string,
    kind: Kind,
    from: Source,
    input: Parameters<Tasks[Kind]>[1],
    helped: Help = {},
  ): Promise<Awaited<ReturnType<Tasks[Kind]>>> {
    using lent = from.lend?.()
    const source = lent ? { ...from, path: lent.path } : from
    const pace = kind === 'inspect' || kind === 'credentials' || kind === 'versions' ? 'quick' : 'slow'
    const task = { kind, input, source, limits, timeoutMs: timeouts[kind], ...helped }
    const isLong =
      kind === 'text' || helped.sink !== undefined || (kind === 'credentials' && source.sizeBytes > mostHeld)
    return (await tracer.within(`decoder ${kind}`, {}, () =>
      (isLong ? patientPool : pool).run(task, pace, clientId),
    )) as Awaited<ReturnType<Tasks[Kind]>>
  }

  /** A manifest that cannot be read, or that brings its reader down, is no reason to refuse the file. */
  async function withCredentials(
    clientId: string,
    source: Source,
    mimeType: MediaType,
    found: FileEvidence,
  ): Promise<FileEvidence> {
    if (!found.c2pa || found.c2pa.isElsewhere) return found
    try {
      const { trustAnchors } = signatures
      await using local = await localFile(source, scratchFolder, mostHeld)
      const timeoutMs = timeouts.credentials + source.sizeBytes / leastBytesAMs
      const read = await run(clientId, 'credentials', local, { mimeType, trustAnchors }, { timeoutMs })
      return {
        ...found,
        ...read,
        generator: found.generator ?? read.generator,
        digitalSourceType: strongest([found.digitalSourceType, read.c2pa.digitalSourceType]),
      }
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unreadable-media')) throw error
      return found
    }
  }

  /** A manifest that cannot be carried on does not hold up the file: it goes without. */
  async function signedIfPossible<T>(
    carried: Carried | undefined,
    make: (signing?: Signing, sign?: Help['sign']) => Promise<T>,
  ): Promise<T> {
    const signer = carried && (await signatures.signer())
    if (!signer) return make()
    const { algorithm, signatureBytes, sign } = signer
    try {
      return await make({ ...carried, algorithm, signatureBytes }, sign)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unreadable-media')) throw error
      return make()
    }
  }

  /** Given a video, the engines to try, in order. */
  async function engines(): Promise<VideoEngine[]> {
    const [found, { nodeAv: loaded }] = await Promise.all([ffmpeg(), versions()])
    const own: VideoEngine[] = nodeAv && loaded ? ['node-av'] : []
    const system: VideoEngine[] = found ? ['ffmpeg'] : []
    return setting === 'auto' || setting === 'off' ? [...own, ...system] : [...system, ...own]
  }

  async function onVideo<Kind extends 'previews' | 'looks' | 'storyboard'>(
    clientId: string,
    kind: Kind,
    source: Source,
    input: Omit<Parameters<Tasks[Kind]>[1], 'engines'>,
  ): Promise<Awaited<ReturnType<Tasks[Kind]>>> {
    const found = await ffmpeg()
    await using stills = found && videoStills(found, await walls(), source, scratchFolder)
    // A decoder that crashes or never ends takes its process along; the others may still do it.
    for (let rest = await engines(); ; rest = rest.slice(1)) {
      try {
        const choice = { ...input, engines: rest } as Parameters<Tasks[Kind]>[1]
        return await run(clientId, kind, source, choice, { frame: stills?.frame })
      } catch (error) {
        if (rest.length === 0 || !(error instanceof Problem && error.code === 'unreadable-media')) throw error
      }
    }
  }

  /**
   * Those that can encode: a system's own ffmpeg first, since it is quicker; but HDR it makes paler than our posters, and
   * a watermark as on pictures is laid over them by the bundled library alone.
   */
  async function encoders({ isHdr, watermark }: Partial<FilmOrder> = {}): Promise<VideoEngine[]> {
    const [found, { nodeAvEncodes }] = await Promise.all([ffmpeg(), versions()])
    const system: VideoEngine[] = found?.encodes ? ['ffmpeg'] : []
    const own: VideoEngine[] = nodeAv && nodeAvEncodes ? ['node-av'] : []
    if (watermark !== undefined) return own
    return isHdr ? [...own, ...system] : [...system, ...own]
  }

  async function film(
    clientId: string,
    source: Source,
    order: FilmOrder,
    { progress, signal, packet }: FilmMaking,
  ): Promise<MadeFilm | null> {
    const limits = { timeoutMs: options.timeouts?.encode ?? encodeMs(order), signal, packet }
    if (order.video === 'copy' && order.sound !== 'encode') return repacked(clientId, source, order, limits)
    let failure: unknown
    for (const engine of await encoders(order)) {
      await using pieces = await openFilmFile(scratchFolder, mostBytes(source, order), progress)
      const { sink } = pieces
      try {
        if (engine === 'ffmpeg')
          await encodeByFfmpeg((await ffmpeg())!, await behind(), {
            source,
            order,
            scratchFolder,
            sink,
            ...limits,
          })
        else await run(clientId, 'encode', source, { order }, { sink, ...limits })
        return await repacked(clientId, pieces.asSource(), order, limits)
      } catch (error) {
        // What one cannot encode, or what brings it down, another may bear.
        if (!(error instanceof Problem && error.code === 'unreadable-media')) throw error
        failure = error
      }
    }
    if (failure) throw failure
    return null
  }

  async function repacked(
    clientId: string,
    source: Source,
    order: FilmOrder,
    { packet, ...limits }: { timeoutMs: number; signal: AbortSignal | undefined; packet: string | undefined },
  ): Promise<MadeFilm> {
    const whole = await openFilmFile(scratchFolder, mostBytes(source, order))
    try {
      const { sink } = whole
      const size = await run(clientId, 'repack', source, undefined as never, { sink, ...limits })
      // When it was made is nobody's business.
      for (const { start, end, with: bytes = Buffer.alloc(end - start) } of (await filmNotes(
        whole.asSource(),
      )) ?? [])
        await sink.write(start, bytes)
      if (packet !== undefined) await sink.write(whole.asSource().sizeBytes, xmpBox(packet))
      return whole.made(size)
    } catch (error) {
      await whole[Symbol.asyncDispose]()
      throw error
    }
  }

  /** One that cannot be held goes out without a manifest. */
  async function signedFilm(
    clientId: string,
    source: Source,
    made: MadeFilm,
    order: FilmOrder,
    { carried, maxBytes = Infinity, signal }: FilmMaking,
  ): Promise<MadeFilm> {
    if (!carried || made.sizeBytes > mostHeld) return made
    return signedIfPossible(carried, async (signing, sign) => {
      if (!signing) return made
      await using original = await localFile(source, scratchFolder, carried.hasManifest ? 0 : Infinity)
      const { path, sizeBytes } = original
      const whole = await openFilmFile(scratchFolder, made.sizeBytes + mostManifest)
      try {
        const input = { signing, actions: doneTo(order), ...(path && { original: { path, sizeBytes } }) }
        await run(clientId, 'signedFilm', made.asSource(), input, { sink: whole.sink, sign, signal })
        if (whole.asSource().sizeBytes > maxBytes) throw tooLargeSigned()
        await made[Symbol.asyncDispose]()
        return whole.made(made)
      } catch (error) {
        await whole[Symbol.asyncDispose]()
        throw error
      }
    })
  }

  async function capabilities(): Promise<Capabilities> {
    const [video = 'none'] = await engines()
    const [encoder = 'none'] = await encoders()
    const found = {
      ...(await versions()),
      ffmpeg: (await ffmpeg())?.version ?? null,
      confined: (await walls()).found,
      signatures: await signatures.state(),
    }
    return {
      ...found,
      video,
      encoder,
      ...(!found.tesseract || found.ocrLanguages.length === 0 ? { ocrFix: howToReadWords } : {}),
      ...(video === 'none' ? { fix: howToDecodeVideos } : encoder === 'none' && { fix: howToEncodeVideos }),
    }
  }

  const mediaOf = (clientId: string): Media => ({
    inspect: async (source, declaredType) => {
      const found = await run(clientId, 'inspect', source, { declaredType })
      if (source.sizeBytes > mostHeld) return found
      return { ...found, evidence: await withCredentials(clientId, source, found.mimeType, found.evidence) }
    },
    evidence: async (source, mimeType) =>
      withCredentials(clientId, source, mimeType, await run(clientId, 'evidence', source, { mimeType })),
    previews: (source, mimeType, wanted, { instant, atSeconds, watermark } = {}) =>
      isFilm(mimeType)
        ? onVideo(clientId, 'previews', source, { mimeType, wanted, atSeconds, watermark })
        : run(clientId, 'previews', source, { mimeType, wanted, instant, engines: [], watermark }),
    looks: (source, mimeType, wanted) =>
      isFilm(mimeType)
        ? onVideo(clientId, 'looks', source, { mimeType, wanted })
        : run(clientId, 'looks', source, { mimeType, wanted, engines: [] }),
    text: (preview, languages) => run(clientId, 'text', preview, { languages }),
    storyboard: (source) => onVideo(clientId, 'storyboard', source, {}),
    rendition: (source, mimeType, order, carried) =>
      signedIfPossible(carried, (signing, sign) =>
        run(clientId, 'rendition', source, { mimeType, order, signing }, { sign }),
      ),
    film: async (source, order, making = {}) => {
      const made = await film(clientId, source, order, making)
      return made && signedFilm(clientId, source, made, order, making)
    },
    bare: (source, mimeType, packet, carried) =>
      signedIfPossible(carried, (signing, sign) =>
        run(clientId, 'bare', source, { mimeType, packet, signing }, { sign }),
      ),
    signatureMark: async () => (await signatures.signer())?.mark,
    of: mediaOf,
    capabilities,
    close: async () => void (await Promise.all([pool.close(), patientPool.close()])),
  })
  return mediaOf('')
}

/** A manifest is checked against every byte. What is larger takes its time, on this machine's disk. */
const mostHeld = 64 * 1024 ** 2
const leastBytesAMs = 5_000

/** A manifest with all that it carries on. */
const mostManifest = 16 * 1024 ** 2

const tooLargeSigned = () => new Problem('unreadable-media', 'With a manifest it is too large.')

const doneTo = ({ video, range, watermark }: FilmOrder): Action[] => [
  ...(range ? ['c2pa.trimmed' as const] : []),
  ...(watermark === undefined ? [] : ['c2pa.edited' as const]),
  video === 'copy' ? 'c2pa.repackaged' : 'c2pa.transcoded',
]

const nothing: Source = { sizeBytes: 0, read: async () => new Uint8Array() }

const howToDecodeVideos =
  'Videos show a drawn tile instead of a poster. Run `npm ci --include=optional`, or install ffmpeg 5 or newer (`apt-get install ffmpeg`), and restart.'

const howToEncodeVideos =
  'Films that browsers do not play get no playable copy. Run `npm ci --include=optional`, or install an ffmpeg with libx264 (`apt-get install ffmpeg`), and restart.'

const howToReadWords =
  'Words in pictures are not read. Run `npm ci --include=optional`, and restart; or set MEDIA_OCR=off.'

/** Far more than any film needs that can be encoded at all, and two hours at most. */
const encodeMs = ({ durationSeconds }: FilmOrder) => Math.min(7_200_000, 120_000 + durationSeconds * 30_000)

/** What is copied stays as large as it is; what is encoded has a rate that it does not exceed by far. */
const mostBytes = ({ sizeBytes }: Source, order: FilmOrder) =>
  sizeBytes * 1.1 + order.durationSeconds * Math.max(1024 ** 2, videoBitsOf(order) / 4) + 64 * 1024 ** 2
