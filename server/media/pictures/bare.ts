import { Buffer } from 'node:buffer'
import type { PictureType } from './completeness.ts'
import { withXmp } from './with-xmp.ts'

/**
 * The same picture, bit for bit, and nothing beside it: no camera notes, no words, no colour profile, no thumbnail,
 * nothing before, between or after. What is kept is listed, so that what nobody thought of stays here. What must be said
 * of it is given as a packet of XMP.
 */
export function barePicture(file: Uint8Array, type: PictureType, packet?: string): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const plain = Buffer.concat([...bare[type](bytes)])
  return packet === undefined ? plain : withXmp(plain, type, packet)
}

const bare: Record<PictureType, (file: Buffer) => Iterable<Buffer>> = {
  'image/jpeg': bareJpeg,
  'image/png': barePng,
  'image/webp': bareWebp,
}

/** Markers, by their second byte. */
const jpeg = { start: 0xd8, end: 0xd9, scan: 0xda, jfif: 0xe0, adobe: 0xee }

function* bareJpeg(file: Buffer): Generator<Buffer> {
  yield file.subarray(0, 2)
  for (let at = 2; ; ) {
    at = nextMarker(file, at)
    const marker = file[at + 1]
    if (marker === undefined || marker === jpeg.end) break
    const end = marker === 0x01 || isRestart(marker) ? at + 2 : at + 2 + lengthAt(file, at + 2)
    const segment = file.subarray(at, end)
    at = end
    if (marker === jpeg.scan) {
      at = endOfScan(file, end)
      yield segment
      yield file.subarray(end, at)
    } else if (marker === jpeg.jfif && segment.toString('latin1', 4, 9) === 'JFIF\0') {
      yield withoutThumbnail(segment)
    } else if (isNeeded(marker, segment)) yield segment
  }
  yield Buffer.from([0xff, jpeg.end])
}

/** Frames, tables of Huffman codes, of steps and of intervals, and how the colours were turned. */
const isNeeded = (marker: number, segment: Buffer) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) ||
  [0xdb, 0xdc, 0xdd].includes(marker) ||
  (marker === jpeg.adobe && segment.length === 16 && segment.toString('latin1', 4, 9) === 'Adobe')

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

const lengthAt = (file: Buffer, at: number) =>
  at + 2 <= file.length ? Math.max(2, file.readUInt16BE(at)) : file.length

/** Whatever lies before the next marker is passed over, as decoders do. */
function nextMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1]
    if (marker !== 0 && marker !== 0xff) return at
  }
  return file.length
}

function endOfScan(file: Buffer, from: number): number {
  for (let at = nextMarker(file, from); ; at = nextMarker(file, at + 2))
    if (!isRestart(file[at + 1] ?? 0)) return at
}

function withoutThumbnail(segment: Buffer): Buffer {
  const plain = Buffer.alloc(18)
  segment.copy(plain, 0, 0, 16)
  plain.writeUInt16BE(16, 2)
  return plain
}

/** The chunks that the picture is made of; of those that only say how it is meant, the ones of a fixed length. */
const pngChunks: Record<string, number | undefined> = {
  ...{ IHDR: undefined, PLTE: undefined, IDAT: undefined, IEND: undefined, tRNS: undefined },
  ...{ acTL: 8, fcTL: 26, fdAT: undefined },
  ...{ gAMA: 4, cHRM: 32, sRGB: 1, pHYs: 9 },
}

function* barePng(file: Buffer): Generator<Buffer> {
  yield file.subarray(0, 8)
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (Object.hasOwn(pngChunks, type) && (pngChunks[type] ?? length) === length) yield file.subarray(at, end)
    if (type === 'IEND') return
    at = end
  }
}

const webpChunks = ['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'VP8X']
const webpNotes = 0x20 | 0x08 | 0x04 // a colour profile, EXIF and XMP follow

function* bareWebp(file: Buffer): Generator<Buffer> {
  const chunks = [...keptOf(file.subarray(12, 8 + file.readUInt32LE(4)))]
  const head = Buffer.from(file.subarray(0, 12))
  head.writeUInt32LE(4 + chunks.reduce((sum, chunk) => sum + chunk.length, 0), 4)
  yield head
  yield* chunks
}

function* keptOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at + 8 <= body.length; ) {
    const type = body.toString('latin1', at, at + 4)
    const length = body.readUInt32LE(at + 4)
    const chunk = body.subarray(at + 8, at + 8 + length)
    at += 8 + length + (length % 2)
    if (webpChunks.includes(type)) yield riffChunk(type, bareChunk(type, chunk))
  }
}

const frameHeadBytes = 16

function bareChunk(type: string, chunk: Buffer): Buffer {
  if (type === 'ANMF')
    return Buffer.concat([chunk.subarray(0, frameHeadBytes), ...keptOf(chunk.subarray(frameHeadBytes))])
  if (type !== 'VP8X') return chunk
  const flags = Buffer.from(chunk)
  flags[0]! &= ~webpNotes
  return flags
}

function riffChunk(type: string, chunk: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(chunk.length, 4)
  return Buffer.concat([head, chunk, Buffer.alloc(chunk.length % 2)])
}
