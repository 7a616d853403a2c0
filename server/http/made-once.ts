import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './compression.ts'
import { isAtHand, sendNotModified } from './not-modified.ts'

const pack = promisify(gzip)

/** A large answer that is the same for everybody: written and compressed once, for whoever asks first. */
export function madeOnce(type: string, make: () => string) {
  let made: ReturnType<typeof written> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    made ??= written(make())
    const { etag, plain, packed } = await made
    reply.header('vary', 'accept-encoding')
    if (isAtHand(request, reply, etag)) return sendNotModified(request, reply)
    if (!takesGzip(request.headers['accept-encoding'])) return reply.type(type).send(plain)
    return reply.type(type).header('content-encoding', 'gzip').send(packed)
  }
}

async function written(text: string) {
  const plain = Buffer.from(text)
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, packed: await pack(plain) }
}
