import type { FastifyReply, FastifyRequest } from 'fastify'

/** Kept, but asked about each time: who may not see it any more is not shown it. */
export const askedAboutEachTime = 'private, no-cache'

/** As a route promises it beside its answer. */
export const NotModified = { type: 'null', description: 'Still the one at hand.' }

/** Names the state of what is answered, and says whether the caller has it at hand already. */
export function isAtHand(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag).header('cache-control', askedAboutEachTime)
  return matches(request.headers['if-none-match'], etag)
}

export function sendNotModified({ recognised }: FastifyRequest, reply: FastifyReply): FastifyReply {
  // What is at hand knows of the same events as if it had been read now.
  if (typeof recognised?.lastEventId === 'number') reply.header('last-event-id', recognised.lastEventId)
  return reply.code(304).send()
}

/** Weakly, as RFC 9110 has it for If-None-Match. */
export const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => opaque(tag.trim()) === opaque(etag)))

const opaque = (tag: string) => tag.replace(/^W\//, '')
