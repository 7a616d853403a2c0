import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const smallest = 512

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer to something else than a GET is large, and holds no secret. */
    largeAnswer?: boolean
  }
}

/**
 * Text leaves compressed where the caller takes it. Files and event streams are no strings and pass untouched.
 * An answer with a strong ETag stays as it is: it is small, and its tag would have to name the encoding too.
 * Fresh secrets (tokens, keys, signed addresses) answer POSTs, so what the size of an answer tells is never about one
 * that stands beside something a stranger may choose (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < smallest || !mayBeCompressed(request, reply))
      return done(null, payload)
    addVary(reply)
    if (!takesGzip(request.headers['accept-encoding'])) return done(null, payload)
    reply.removeHeader('content-length').header('content-encoding', 'gzip')
    gzip(payload, done)
  })
}

const mayBeCompressed = ({ method, routeOptions }: FastifyRequest, reply: FastifyReply) =>
  (method === 'GET' || routeOptions.config.largeAnswer === true) &&
  !isStrong(reply.getHeader('etag')) &&
  !reply.hasHeader('content-encoding')

const isStrong = (etag: unknown) => typeof etag === 'string' && !etag.startsWith('W/')

function addVary(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, accept-encoding` : 'accept-encoding')
}

/** `gzip` or `*`, unless it is given no weight. */
export function takesGzip(accepted = ''): boolean {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => {
        const [coding = '', weight] = one.split(';').map((part) => part.trim())
        return [coding, weight ? Number(weight.replace(/^q=/, '')) : 1] as const
      }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
