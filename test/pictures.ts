import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour, made here: every different colour is a different file. */
export function png(width = 1, height = 1, [red, green, blue] = [200, 30, 60]): Buffer {
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(red!, green!, blue!))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array(height).fill(row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same picture, but as long as asked for. */
export function pngOfSize(sizeBytes: number, seed = 0): Buffer {
  const start = png(2, 2, [seed & 255, (seed >> 8) & 255, 7])
  const end = chunk('IEND', Buffer.alloc(0))
  const body = start.subarray(0, start.length - end.length)
  const padding = Buffer.alloc(sizeBytes - start.length - 12, seed & 255)
  return Buffer.concat([body, chunk('fiLl', padding), end])
}

export const pixel = png()

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const out = Buffer.alloc(8 + data.length + 4)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), 8 + data.length)
  return out
}

/** A short film, and what its upload says of it. */
export const aFilm = () => readFile(new URL('../server/media/fixtures/silent.mp4', import.meta.url))
export const filmSession = { session: { originalFilename: 'silent.mp4', mimeType: 'video/mp4' } } as const
