import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../problems.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which pages of other sites may call it from a browser; none, unless it says so. Cookies are never taken from them. */
    pages?: 'any' | 'named'
  }
}

const named = 'AGENT_ORIGINS'

/**
 * Answers pages of other sites where a route lets them in. It goes by the names we were given, not by the Host header:
 * a page whose name was made to lead here sends its own name in both.
 */
export function answerOtherSites(app: FastifyInstance): void {
  const { publicUrl, agentOrigins } = app.parts.config
  const known = [new URL(publicUrl).origin, ...agentOrigins]
  // Before the door, so that its refusals can be read too.
  app.addHook('onRequest', ({ headers, routeOptions }, reply, done) => {
    const { pages } = routeOptions.config
    const { origin } = headers
    if (pages) reply.header('vary', 'origin')
    if (pages && origin !== undefined) {
      if (pages === 'named' && !known.includes(origin)) throw unknownSite(origin)
      allow(reply, pages === 'any' ? '*' : origin)
    }
    done()
  })
}

/** A browser asks first. */
export const answerPreflight = (app: App, path: string, pages: 'any' | 'named') =>
  app.options(path, { schema: { hide: true }, config: { permission: 'public', pages } }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id',
        'access-control-max-age': '7200',
      })
      .send(),
  )

const allow = (reply: FastifyReply, origin: string) =>
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After',
  })

const unknownSite = (origin: string) =>
  new Problem(
    'cross-site',
    `Pages of ${origin.slice(0, 200)} may not talk to this server. Whoever runs it can name them in ${named}.`,
  )
