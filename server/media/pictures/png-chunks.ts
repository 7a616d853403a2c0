import { inflateSync } from 'node:zlib'
import { readOrientation } from './exif.ts'
import type { ColourMark } from './hdr.ts'
import { type Source, windowed } from './source.ts'

/** What a PNG says beside its pixels, wherever it says so: the decoder only listens before the picture begins. */
export interface PngNotes {
  /** Several pictures, one after the other (APNG). */
  isAnimated: boolean
  exif: Uint8Array | undefined
  xmp: Uint8Array | undefined
  cicp: ColourMark | undefined
  /** 1 to 8, where the mark comes after the picture and the decoder does not turn it. */
  lateOrientation: number
}

const mostChunks = 200_000
const mostNoteBytes = 4_000_000

export async function pngNotes(original: Source): Promise<PngNotes> {
  const source = windowed(original)
  const notes: PngNotes = {
    isAnimated: false,
    exif: undefined,
    xmp: undefined,
    cicp: undefined,
    lateOrientation: 1,
  }
  let pictureBegan = false
  for await (const { type, start, length } of chunksOf(source)) {
    const body = () => source.read(start, start + length)
    if (type === 'IDAT') pictureBegan = true
    if (type === 'acTL' && length === 8) notes.isAnimated = Buffer.from(await body()).readUInt32BE(0) > 1
    if (type === 'cICP' && length === 4) {
      const [primaries, transfer] = await body()
      notes.cicp = { primaries: primaries!, transfer: transfer! }
    }
    if (length > mostNoteBytes) continue
    if (type === 'eXIf' && !notes.exif) {
      notes.exif = await body()
      if (pictureBegan) notes.lateOrientation = readOrientation(notes.exif)
    }
    if (type === 'iTXt') notes.xmp ??= xmpIn(Buffer.from(await body()))
  }
  return notes
}

/** What a PNG says in words, in EXIF and by C2PA. */
export async function* pngTexts(
  source: Source,
): AsyncGenerator<{ type: 'words' | 'exif' | 'c2pa'; name: string; bytes: Buffer }> {
  let taken = 0
  for await (const { type, start, length } of chunksOf(source)) {
    if (!Object.hasOwn(textTypes, type) || taken + length > mostNoteBytes) continue
    taken += length
    const chunk = Buffer.from(await source.read(start, start + length))
    const kind = textTypes[type]!
    const name = kind === 'words' ? chunk.toString('latin1', 0, Math.max(0, chunk.indexOf(0))) : ''
    const bytes = kind === 'words' ? textOf(type, chunk, name.length + 1) : chunk
    if (bytes) yield { type: kind, name, bytes }
  }
}

const textTypes: Record<string, 'words' | 'exif' | 'c2pa'> = {
  ...{ tEXt: 'words', zTXt: 'words', iTXt: 'words' },
  ...{ eXIf: 'exif', caBX: 'c2pa' },
}

function textOf(type: string, chunk: Buffer, start: number): Buffer | undefined {
  if (type === 'tEXt') return chunk.subarray(start)
  if (type === 'zTXt') return inflated(chunk.subarray(start + 1))
  const language = chunk.indexOf(0, start + 2)
  const text = chunk.subarray(chunk.indexOf(0, language + 1) + 1)
  return chunk[start] === 1 ? inflated(text) : text
}

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: mostNoteBytes })
  } catch {
    return undefined
  }
}

interface Chunk {
  type: string
  /** Of what is in it. */
  start: number
  length: number
}

async function* chunksOf(source: Source): AsyncGenerator<Chunk> {
  for (let at = 8, count = 0; at + 12 <= source.sizeBytes && count < mostChunks; count++) {
    const head = Buffer.from(await source.read(at, at + 8))
    if (head.length < 8) return
    const chunk = { type: head.toString('latin1', 4, 8), start: at + 8, length: head.readUInt32BE(0) }
    if (chunk.type === 'IEND' || chunk.start + chunk.length + 4 > source.sizeBytes) return
    yield chunk
    at = chunk.start + chunk.length + 4
  }
}

/** Keyword, whether it is compressed and how, language, translated keyword, and the text. */
function xmpIn(chunk: Buffer): Uint8Array | undefined {
  const keyword = 'XML:com.adobe.xmp\0'
  if (chunk.toString('latin1', 0, keyword.length) !== keyword) return undefined
  return textOf('iTXt', chunk, keyword.length)
}
