import { crc32 } from 'node:zlib'
import type { Source } from './source.ts'

/** Whether the size of a PNG is what was written: libvips shows it all the same, browsers and targets do not. */
export async function pngHeaderIsSound(source: Source): Promise<boolean> {
  const head = Buffer.from(await source.read(0, Math.min(33, source.sizeBytes)))
  return head.length === 33 && crc32(head.subarray(12, 29)) === head.readUInt32BE(29)
}
