import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyReply } from 'fastify'
import type { Parts } from '../library.ts'
import { contentSecurityPolicy, notBuilt } from './web-app.ts'

const folder = fileURLToPath(new URL('../../dist/web/guests/', import.meta.url))

/** What a page says of itself to those who show a link before it is opened. */
export interface PageHead {
  title?: string
  description?: string
  image?: string
}

/** A built page for people without an account, with its own head; without one, there is nothing at its address. */
export async function guestPage(parts: Parts, name: 'share' | 'upload') {
  const file = `${folder}${name}.html`
  const page = existsSync(file) ? await readFile(file, 'utf8') : undefined
  const policy = contentSecurityPolicy(parts.store)
  return (reply: FastifyReply, head: PageHead | undefined): FastifyReply => {
    if (!page)
      return reply
        .code(head ? 503 : 404)
        .type('text/plain')
        .send(notBuilt)
    return reply
      .code(head ? 200 : 404)
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      .send(page.replace('<!--head-->', () => tagsOf(head ?? {})))
  }
}

const tagsOf = ({ title, description, image }: PageHead): string =>
  [
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:image', image],
  ]
    .filter(([, content]) => content)
    .map(([property, content]) => `<meta property="${property}" content="${escaped(content!)}" />`)
    .join('\n    ')

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
