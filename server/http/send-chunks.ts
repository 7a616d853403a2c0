import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/**
 * Sends chunk after chunk, each only once the one before has left, so that all may share one piece of memory:
 * what a stream allocates for a large file, V8 would have to collect again.
 */
export async function sendChunks(
  reply: FastifyReply,
  scan: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  const { raw } = reply
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  const chunks = scan(closed.signal)[Symbol.asyncIterator]()
  // What fails before the first byte is still answered with a problem.
  let next = await chunks.next()
  reply.hijack()
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
    for (; !next.done; next = await chunks.next()) await leave(raw, next.value, closed.signal)
    raw.end()
  } catch (error) {
    if (!closed.signal.aborted) reply.log.warn({ err: error }, 'An answer broke off')
    // Before the memory is used for something else, and so that nobody takes a part for the whole.
    raw.destroy()
  } finally {
    await chunks.return?.()
  }
  return reply
}

const leave = (raw: ServerResponse, chunk: Uint8Array, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const onClose = () => reject(signal.reason)
    signal.addEventListener('abort', onClose)
    if (signal.aborted) return onClose()
    raw.write(chunk, (error) => {
      signal.removeEventListener('abort', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
