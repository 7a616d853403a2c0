import { crc32 } from 'node:zlib'
import type { PictureType } from './completeness.ts'

/** A picture that says nothing beside itself, with a packet of XMP. */
export const withXmp = (bare: Buffer, type: PictureType, packet: string): Buffer =>
  Buffer.concat(insert[type](bare, Buffer.from(packet)))

const insert: Record<PictureType, (bare: Buffer, packet: Buffer) => Buffer[]> = {
  'image/jpeg': inJpeg,
  'image/png': inPng,
  'image/webp': inWebp,
}

/** After JFIF's own segment, which has to be the first. */
function inJpeg(bare: Buffer, packet: Buffer): Buffer[] {
  const start = bare[3] === 0xe0 ? 4 + bare.readUInt16BE(4) : 2
  const body = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), packet])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return [bare.subarray(0, start), head, body, bare.subarray(start)]
}

const endOfHeader = 33

function inPng(bare: Buffer, packet: Buffer): Buffer[] {
  const body = Buffer.concat([Buffer.from('iTXtXML:com.adobe.xmp\0\0\0\0\0', 'latin1'), packet])
  return [
    bare.subarray(0, endOfHeader),
    bigEndian(body.length - 4),
    body,
    bigEndian(crc32(body)),
    bare.subarray(endOfHeader),
  ]
}

const alphaFlag = 0x10
const xmpFlag = 0x04
const extendedBytes = 18

/** At the end; what says that it is there is put in front where there is none. */
function inWebp(bare: Buffer, packet: Buffer): Buffer[] {
  const head = Buffer.from(bare.subarray(0, 12))
  const isExtended = bare.toString('latin1', 12, 16) === 'VP8X'
  const extended = isExtended ? Buffer.from(bare.subarray(12, 12 + extendedBytes)) : extendedFor(bare)
  extended[8]! |= xmpFlag
  const rest = bare.subarray(isExtended ? 12 + extendedBytes : 12)
  const chunk = Buffer.concat([
    Buffer.from('XMP ', 'latin1'),
    littleEndian(packet.length),
    packet,
    Buffer.alloc(packet.length % 2),
  ])
  head.writeUInt32LE(4 + extended.length + rest.length + chunk.length, 4)
  return [head, extended, rest, chunk]
}

/** The first frame says how large the picture is: plainly, or in bits. */
function extendedFor(bare: Buffer): Buffer {
  const isLossless = bare.toString('latin1', 12, 16) === 'VP8L'
  const bits = isLossless ? bare.readUInt32LE(21) : 0
  const width = isLossless ? (bits & 0x3fff) + 1 : bare.readUInt16LE(26) & 0x3fff
  const height = isLossless ? ((bits >>> 14) & 0x3fff) + 1 : bare.readUInt16LE(28) & 0x3fff
  const chunk = Buffer.alloc(extendedBytes)
  chunk.write('VP8X', 'latin1')
  chunk.writeUInt32LE(10, 4)
  chunk[8] = (bits >>> 28) & 1 ? alphaFlag : 0
  chunk.writeUIntLE(width - 1, 12, 3)
  chunk.writeUIntLE(height - 1, 15, 3)
  return chunk
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
