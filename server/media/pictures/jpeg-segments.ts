import { asBuffer, type Source } from './source.ts'

const mostSegments = 5_000

/** What stands before the picture, piece by piece. */
export async function* segmentsOf(source: Source) {
  for (let at = 2, count = 0; at + 4 <= source.sizeBytes && count < mostSegments; count++) {
    const head = asBuffer(await source.read(at, at + 4))
    const marker = head[1]!
    if (head[0] !== 0xff || marker === 0xda || marker === 0xd9) return
    if (marker === 0xff) {
      at += 1
      continue
    }
    const start = at + 4
    at += 2 + Math.max(2, head.readUInt16BE(2))
    const end = Math.min(at, source.sizeBytes)
    yield {
      marker,
      body: {
        length: Math.max(0, end - start),
        read: async () => asBuffer(await source.read(start, Math.max(start, end))),
      },
    }
  }
}
