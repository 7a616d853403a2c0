import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const twoYears = 2 * 365 * 86_400

/**
 * What every answer says to browsers: take it for what it says it is, keep it nowhere, show it in no frame. Files and
 * the web app say for themselves how long they may be kept.
 */
export function secureAnswers(app: FastifyInstance, config: Config): void {
  const headers = securityHeaders(config)
  // Before anything else, so that refusals have them too, and answers that are written by hand.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  ...(publicUrl.startsWith('https:') && { 'strict-transport-security': `max-age=${twoYears}` }),
})
