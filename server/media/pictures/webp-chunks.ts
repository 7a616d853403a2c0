import { asBuffer, type Source } from './source.ts'

const mostChunks = 20_000

/** What a WebP is made of, piece by piece. */
export async function* chunksOf(source: Source) {
  for (let at = 12, count = 0; at + 8 <= source.sizeBytes && count < mostChunks; count++) {
    const head = asBuffer(await source.read(at, at + 8))
    const length = head.readUInt32LE(4)
    const start = at + 8
    const read = async (most: number) =>
      asBuffer(await source.read(start, Math.min(source.sizeBytes, start + Math.min(length, most))))
    yield { type: head.toString('latin1', 0, 4), read }
    at = start + length + (length % 2)
  }
}
