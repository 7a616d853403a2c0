import type { Hash } from 'node:crypto'

/** The same chunks, each counted into the hash as it passes. */
export async function* hashing(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}
