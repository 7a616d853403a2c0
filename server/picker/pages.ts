import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyReply } from 'fastify'
import { notBuilt } from '../http/web-app.ts'
import type { Parts } from '../library.ts'

const folder = fileURLToPath(new URL('../../dist/web/picker/', import.meta.url))
const built = async (name: string) =>
  existsSync(folder + name) ? await readFile(folder + name, 'utf8') : undefined

/** The one page that others may show in a frame, and only those that are named. */
export async function pickerPage({ config }: Parts) {
  const page = await built('embedded.html')
  return (reply: FastifyReply): FastifyReply => {
    if (!page) return missing(reply)
    // It knows but one origin, and would come before what the policy says in old browsers.
    if (config.embedOrigins.length > 0) reply.removeHeader('x-frame-options')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(config.embedOrigins),
      })
      .send(page)
  }
}

/** What other sites load: it holds no secret and is the same for all. */
export async function pickerScript() {
  const script = await built('asset-picker.js')
  return (reply: FastifyReply): FastifyReply => {
    if (!script) return missing(reply)
    return reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=3600',
      })
      .send(script)
  }
}

const missing = (reply: FastifyReply) => reply.code(503).type('text/plain').send(notBuilt)

const policyFor = (embedOrigins: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${embedOrigins.join(' ') || "'none'"}`,
  ].join('; ')
