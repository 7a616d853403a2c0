import { Problem } from '../problems.ts'

export class BrokenBody extends Error {
  constructor(message = 'The body broke off.', cause?: unknown) {
    super(message, { cause })
    this.name = 'BrokenBody'
  }
}

const wrongLength = (expected: number, got: string) =>
  new BrokenBody(`The body was announced as ${expected} bytes and had ${got}.`)

/**
 * The body's own chunks; throws as soon as it is clear that they do not come to `sizeBytes`. What goes wrong
 * with the body carries a name of its own, so that nobody takes it for a failure of the store.
 */
export async function* exactly(sizeBytes: number, body: Uint8Array | AsyncIterable<Uint8Array>) {
  let seen = 0
  for await (const chunk of body instanceof Uint8Array ? [body] : unbroken(body)) {
    seen += chunk.length
    if (seen > sizeBytes) throw wrongLength(sizeBytes, 'more')
    yield chunk
  }
  if (seen < sizeBytes) throw wrongLength(sizeBytes, `only ${seen}`)
}

async function* unbroken(body: AsyncIterable<Uint8Array>) {
  try {
    yield* body
  } catch (error) {
    throw error instanceof Problem ? error : new BrokenBody(undefined, error)
  }
}
