import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'

const folder = fileURLToPath(new URL('../../dist/web/', import.meta.url))

const notBuilt =
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
  const policy = contentSecurityPolicy(app.parts.config)
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

function contentSecurityPolicy({ storage }: Config): string {
  const bucket =
    storage.kind === 's3'
      ? bucketOrigin(storage.s3)
      : storage.kind === 'disk'
        ? new URL(storage.url).origin
        : ''
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${bucket}`.trim(),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Where browsers put files, for the page's own policy must allow it. */
function bucketOrigin({
  endpoint,
  bucket,
  pathStyle,
}: {
  endpoint: string
  bucket: string
  pathStyle: boolean
}): string {
  const url = new URL(endpoint)
  return pathStyle ? url.origin : `${url.protocol}//${bucket}.${url.host}`
}
