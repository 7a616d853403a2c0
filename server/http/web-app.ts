import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ObjectStore } from '../storage/storage.ts'

const folder = fileURLToPath(new URL('../../dist/web/', import.meta.url))

export const notBuilt =
  'The web app is not built. Run npm ci --include=dev && npm run build, then restart. The API is at /docs.\n'

/** The built web app under /app/. Every address in it is the same page; what it shows is decided in the browser. */
export async function webApp(app: FastifyInstance): Promise<void> {
  app.get('/', async (_request, reply) => reply.redirect('/app/'))
  app.get('/app', async (_request, reply) => reply.redirect('/app/'))
  if (!existsSync(`${folder}index.html`)) {
    app.get('/app/*', async (_request, reply) => reply.code(503).type('text/plain').send(notBuilt))
    return
  }

  const page = await readFile(`${folder}index.html`, 'utf8')
  const policy = contentSecurityPolicy(app.parts.store)
  const sendPage = (reply: FastifyReply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
      })
      .send(page)
  // The names of built files change with their contents, so they may be kept for ever.
  await app.register(fastifyStatic, {
    root: `${folder}assets`,
    prefix: '/app/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
  })
  app.get('/app/*', async (_request, reply) => sendPage(reply))
}

export function contentSecurityPolicy({ uploadOrigin }: ObjectStore): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${uploadOrigin ?? ''}`.trim(),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
