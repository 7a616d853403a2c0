import type { MediaType } from '../../../contract/media-types.ts'
import { type Box, boxes } from '../pictures/boxes.ts'
import { exifWords } from '../pictures/exif.ts'
import { marksOfHeic } from '../pictures/heic.ts'
import type { Limits } from '../pictures/inspection.ts'
import { segmentsOf } from '../pictures/jpeg-segments.ts'
import { pngTexts } from '../pictures/png-chunks.ts'
import { asBuffer, type Source, windowed } from '../pictures/source.ts'
import { chunksOf } from '../pictures/webp-chunks.ts'
import { iptcIn } from './iptc.ts'
import { type Marks, mostBytes, mostPackets, noMarks } from './marks.ts'

type Reader = (source: Source, marks: Marks, limits: Limits) => Promise<void>

const readers: Record<MediaType, Reader> = {
  'image/jpeg': inJpeg,
  'image/png': inPng,
  'image/webp': inWebp,
  'image/heic': inHeic,
  'video/mp4': inFilm,
}

/** What a file says beside its picture. What cannot be followed to its end has said what it has said. */
export async function marksIn(source: Source, type: MediaType, limits: Limits): Promise<Marks> {
  const marks = noMarks()
  await readers[type](windowed(source), marks, limits)
  return marks
}

const xmpHead = 'http://ns.adobe.com/xap/1.0/\0'
const moreXmpHead = 'http://ns.adobe.com/xmp/extension/\0'
/** The head is followed by an id, the length of all parts and the place of this one. */
const moreXmpBytes = moreXmpHead.length + 40
const iptcHead = 'Photoshop 3.0\0'
/** “JP”, the number of the box and of the piece. */
const pieceHeadBytes = 8
const boxHeadBytes = 8

async function inJpeg(source: Source, marks: Marks): Promise<void> {
  let taken = 0
  const more: Buffer[] = []
  const manifest: Buffer[] = []
  for await (const { marker, body } of segmentsOf(source)) {
    if (![0xe1, 0xeb, 0xed].includes(marker) || taken + body.length > mostBytes * 2) continue
    taken += body.length
    const bytes = await body.read()
    const starts = (head: string) => bytes.toString('latin1', 0, head.length) === head
    if (marker === 0xe1 && starts('Exif\0\0')) marks.words.push(...exifWords(bytes))
    else if (marker === 0xe1 && starts(xmpHead)) addXmp(marks, bytes.subarray(xmpHead.length))
    else if (marker === 0xe1 && starts(moreXmpHead)) more.push(bytes.subarray(moreXmpBytes))
    else if (marker === 0xed && starts(iptcHead)) marks.iptc = iptcIn(bytes.subarray(iptcHead.length))
    // Each piece but the first repeats the head of the box it belongs to.
    else if (marker === 0xeb && starts('JP'))
      manifest.push(bytes.subarray(pieceHeadBytes + (manifest.length > 0 ? boxHeadBytes : 0)))
  }
  if (more.length > 0) addXmp(marks, Buffer.concat(more))
  if (manifest.length > 0) addManifest(marks, Buffer.concat(manifest))
}

async function inPng(source: Source, marks: Marks): Promise<void> {
  for await (const { type, name, bytes } of pngTexts(source)) {
    if (type === 'exif') marks.words.push(...exifWords(bytes))
    else if (type === 'c2pa') addManifest(marks, bytes)
    else if (name === 'XML:com.adobe.xmp') addXmp(marks, bytes)
    else marks.words.push({ place: 'png', name, words: bytes.toString('utf8', 0, longestWords) })
  }
}

async function inWebp(source: Source, marks: Marks): Promise<void> {
  for await (const { type, read } of chunksOf(source)) {
    if (type === 'EXIF') marks.words.push(...exifWords(await read(mostBytes)))
    if (type === 'XMP ') addXmp(marks, await read(mostBytes))
    if (type === 'C2PA') addManifest(marks, await read(mostBytes))
  }
}

async function inHeic(source: Source, marks: Marks, limits: Limits): Promise<void> {
  const { exif, xmp } = await marksOfHeic(source, limits)
  if (exif) marks.words.push(...exifWords(exif))
  if (xmp) addXmp(marks, asBuffer(xmp))
  await inBoxes(source, marks)
}

async function inFilm(source: Source, marks: Marks): Promise<void> {
  await inBoxes(source, marks)
  const { wordsIn } = await import('../films/video.ts')
  marks.words.push(...(await wordsIn(source)))
}

/** A `uuid` box says by its first 16 bytes what it is. */
const uuids = { xmp: 'be7acfcb97a942e89c71999491e3afac', c2pa: 'd8fec3d61b0e483c92975828877ec481' }

async function inBoxes(source: Source, marks: Marks): Promise<void> {
  for await (const box of boxes(source, 0, source.sizeBytes)) {
    if (box.type === 'uuid') await inUuid(source, box, marks)
    if (box.type !== 'moov') continue
    for await (const udta of boxes(source, box.start + box.headerBytes, box.end)) {
      if (udta.type !== 'udta') continue
      for await (const inner of boxes(source, udta.start + udta.headerBytes, udta.end))
        if (inner.type === 'XMP_') addXmp(marks, await bodyOf(source, inner))
    }
  }
}

async function inUuid(source: Source, box: Box, marks: Marks): Promise<void> {
  const start = box.start + box.headerBytes
  const id = asBuffer(await source.read(start, Math.min(start + 16, source.sizeBytes))).toString('hex')
  if (id === uuids.xmp) addXmp(marks, (await bodyOf(source, box)).subarray(16))
  if (id === uuids.c2pa) addManifest(marks, (await bodyOf(source, box)).subarray(16))
}

async function bodyOf(source: Source, { start, end, headerBytes }: Box): Promise<Buffer> {
  const from = start + headerBytes
  return asBuffer(await source.read(from, Math.max(from, Math.min(end, from + mostBytes, source.sizeBytes))))
}

function addXmp(marks: Marks, packet: Buffer) {
  if (marks.xmp.length < mostPackets) marks.xmp.push(packet.toString('utf8', 0, mostBytes))
}

function addManifest(marks: Marks, bytes: Buffer) {
  marks.manifest ??= bytes.subarray(0, mostBytes)
}

const longestWords = 100_000
