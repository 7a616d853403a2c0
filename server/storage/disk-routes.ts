import { randomBytes } from 'node:crypto'
import type {} from '@fastify/swagger' // for `hide`
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import type { diskFiles } from './disk-files.ts'
import { BrokenBody } from './exactly.ts'
import { isKey } from './keys.ts'
import type { putPermits } from './put-permits.ts'
import type { MayPut } from './storage.ts'
import { objectAt } from './storage-of.ts'

interface Door {
  permits: ReturnType<typeof putPermits>
  files: Pick<ReturnType<typeof diskFiles>, 'put' | 'delete'>
  mayPut: MayPut
  allowedOrigins: string[]
}

const refusals = {
  AccessDenied: [403, 'The upload of this URL is over, or whoever was given it may no longer write here.'],
  AccessForbidden: [403, 'CORSResponse: This origin or method is not allowed.'],
  ExpiredRequest: [403, 'The URL has expired.'],
  IncompleteBody: [400, 'The body was shorter or longer than its Content-Length.'],
  InsufficientStorage: [507, 'The disk is full.'],
  InvalidURI: [400, 'The address is not one of an object.'],
  InternalError: [500, 'Something went wrong.'],
  MethodNotAllowed: [405, 'Objects can only be put here.'],
  MissingContentLength: [411, 'A Content-Length is needed.'],
  OperationAborted: [409, 'Another PUT to this URL came after this one.'],
  ServiceUnavailable: [503, 'Nothing can be taken now. Try again later.'],
  SignatureDoesNotMatch: [403, 'The URL does not permit this key, length or time.'],
} as const

type Refusal = keyof typeof refusals

/** How often it is asked whether a body that is still coming may go on. */
const askAgainAfter = 2000

/** The bucket's door for browsers and curl. It takes bytes and gives none: nothing is ever served from here. */
export function diskRoutes({ permits, files, mayPut, allowedOrigins }: Door) {
  const underWay = new Map<string, FastifyRequest['raw']>()

  async function refusalOf(request: FastifyRequest): Promise<Refusal | undefined> {
    const { key, query } = addressOf(request)
    const object = isKey(key) && objectAt(key)
    if (!object) return 'SignatureDoesNotMatch'
    const refusal = permits.refusal(key, query, request.headers['content-length'])
    if (refusal) return refusal
    try {
      return (await mayPut(object, query.get('holder') ?? '')) ? undefined : 'AccessDenied'
    } catch (error) {
      request.log.error({ err: error }, 'nobody could say whether an object may be put')
      return 'ServiceUnavailable'
    }
  }

  /** One at a time: many that never end would fill the disk with bytes that no quota counts. */
  function onlyThis({ raw }: FastifyRequest, key: string): void {
    underWay.get(key)?.destroy(new Refused('OperationAborted'))
    underWay.set(key, raw)
    raw.once('close', () => underWay.get(key) === raw && underWay.delete(key))
  }

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
      if (refusals[code][0] >= 500) request.log.error({ err: error }, 'an object could not be put')
      return refuse(request, reply, code)
    })

    // The URL is the permission: it must not reach the log that Fastify keeps of every request.
    const quietly = { url: '/objects/*', logLevel: 'warn', schema: { hide: true } } as const

    app.route({
      ...quietly,
      method: 'PUT',
      handler: async (request, reply) => {
        const refusal = await refusalOf(request)
        if (refusal) return refuse(request, reply, refusal)

        const { key, query } = addressOf(request)
        onlyThis(request, key)
        cutOffWhenStalled(request)
        const body = whileWanted(request, () => refusalOf(request))
        await files.put(key, body, { sizeBytes: Number(query.get('length')) })

        // Whoever ended the upload meanwhile may have looked for its bytes before they stood here.
        const late = await refusalOf(request)
        if (late) {
          await files.delete([key])
          return refuse(request, reply, late)
        }
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

/** The body for as long as nothing speaks against it: not only when it begins, for it may take its time. */
async function* whileWanted({ raw }: FastifyRequest, refusal: () => Promise<Refusal | undefined>) {
  const asking = setInterval(async () => {
    const found = await refusal()
    if (found && found !== 'ServiceUnavailable') raw.destroy(new Refused(found))
  }, askAgainAfter)
  try {
    // Should the disk fill up midway, the socket must live on to say so.
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } finally {
    clearInterval(asking)
  }
  const late = await refusal()
  if (late) throw new Refused(late)
}

class Refused extends Error {
  readonly code: Refusal

  constructor(code: Refusal) {
    super(refusals[code][1])
    this.code = code
  }
}

/** The path as it was sent: decoding it first would let `%2F` and `..%2F` name what they should not. */
function addressOf(request: FastifyRequest) {
  const [path = '', query = ''] = (request.raw.url ?? '').split('?', 2)
  return { key: path.slice('/objects/'.length), query: new URLSearchParams(query) }
}

function codeOf(error: unknown): Refusal {
  if (error instanceof BrokenBody) return error.cause instanceof Refused ? error.cause.code : 'IncompleteBody'
  if (!(error instanceof Problem)) return 'InternalError'
  if (error.status < 500) return 'InvalidURI'
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'InsufficientStorage' : 'ServiceUnavailable'
}

function refuse(request: FastifyRequest, reply: FastifyReply, code: Refusal) {
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
