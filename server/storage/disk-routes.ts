import { randomBytes } from 'node:crypto'
import type {} from '@fastify/swagger' // for `hide`
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { BrokenBody } from './exactly.ts'
import { isKey } from './keys.ts'
import type { putPermits } from './put-permits.ts'
import type { Bucket } from './storage-of.ts'

interface Door {
  permits: ReturnType<typeof putPermits>
  put: (
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { sizeBytes: number },
  ) => ReturnType<Bucket['put']>
  allowedOrigins: string[]
}

const refusals = {
  AccessForbidden: [403, 'CORSResponse: This origin or method is not allowed.'],
  ExpiredRequest: [403, 'The URL has expired.'],
  IncompleteBody: [400, 'The body was shorter or longer than its Content-Length.'],
  InsufficientStorage: [507, 'The disk is full.'],
  InternalError: [500, 'Something went wrong.'],
  MethodNotAllowed: [405, 'Objects can only be put here.'],
  MissingContentLength: [411, 'A Content-Length is needed.'],
  ServiceUnavailable: [503, 'The disk cannot be written now. Try again later.'],
  SignatureDoesNotMatch: [403, 'The URL does not permit this key, length or time.'],
} as const

/** The bucket's door for browsers and curl. It takes bytes and gives none: nothing is ever served from here. */
export function diskRoutes({ permits, put, allowedOrigins }: Door) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null)) // the handler reads the stream itself

    app.addHook('onRequest', async (request, reply) => {
      // A bucket does not mind what type a body is said to have; Fastify would refuse an odd spelling.
      delete request.headers['content-type']

      const { origin } = request.headers
      reply.header('vary', 'Origin')
      if (origin && allowedOrigins.includes(origin)) {
        reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', 'ETag')
      }
    })

    app.setErrorHandler((error, request, reply) => {
      const code = codeOf(error)
      if (code !== 'IncompleteBody') request.log.error({ err: error }, 'an object could not be put')
      return refuse(request, reply, code)
    })

    // The URL is the permission: it must not reach the log that Fastify keeps of every request.
    const quietly = { url: '/objects/*', logLevel: 'warn', schema: { hide: true } } as const

    app.route({
      ...quietly,
      method: 'PUT',
      handler: async (request, reply) => {
        const { key, query } = addressOf(request)
        const refusal = isKey(key)
          ? permits.refusal(key, query, request.headers['content-length'])
          : 'SignatureDoesNotMatch'
        if (refusal) return refuse(request, reply, refusal)

        cutOffWhenStalled(request)
        // Should the disk fill up midway, the socket must live on to say so.
        const body = request.raw.iterator({ destroyOnReturn: false })
        await put(key, body, { sizeBytes: Number(query.get('length')) })

        return reply.header('etag', `"${randomBytes(16).toString('hex')}"`).send()
      },
    })

    app.route({
      ...quietly,
      method: 'OPTIONS',
      handler: async (request, reply) => {
        const { 'access-control-request-method': method, 'access-control-request-headers': headers } =
          request.headers
        if (!reply.hasHeader('access-control-allow-origin') || method !== 'PUT') {
          return refuse(request, reply, 'AccessForbidden')
        }
        if (headers) reply.header('access-control-allow-headers', headers)
        return reply
          .code(204)
          .header('access-control-allow-methods', 'PUT')
          .header('access-control-max-age', '3600')
          .send()
      },
    })

    app.route({
      ...quietly,
      method: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      handler: async (request, reply) =>
        refuse(request, reply.header('allow', 'PUT, OPTIONS'), 'MethodNotAllowed'),
    })
  }
}

/** The path as it was sent: decoding it first would let `%2F` and `..%2F` name what they should not. */
function addressOf(request: FastifyRequest) {
  const [path = '', query = ''] = (request.raw.url ?? '').split('?', 2)
  return { key: path.slice('/objects/'.length), query: new URLSearchParams(query) }
}

function codeOf(error: unknown): keyof typeof refusals {
  if (error instanceof BrokenBody) return 'IncompleteBody'
  if (!(error instanceof Problem)) return 'InternalError'
  const { code } = error.cause as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'InsufficientStorage' : 'ServiceUnavailable'
}

function refuse(request: FastifyRequest, reply: FastifyReply, code: keyof typeof refusals) {
  const [status, message] = refusals[code]
  // A socket closed on bytes not yet read is reset, and the client never learns why: read on, but not for long.
  request.raw.resume()
  setTimeout(() => request.raw.complete || request.raw.destroy(), 5000).unref()
  return reply
    .code(status)
    .type('application/xml')
    .send(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    )
}

/** Without this a sender that falls silent would hold its socket and its half a file for ever. */
function cutOffWhenStalled({ raw }: FastifyRequest) {
  raw.setTimeout(30_000)
  raw.once('end', () => raw.setTimeout(0))
}
