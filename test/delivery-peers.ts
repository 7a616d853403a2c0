import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A system outside the house, on this machine. Allow it with OUTBOUND_ALLOW=127.0.0.1. */
export interface Peer {
  url: string
  requests: Received[]
  /** How often it was asked for this. */
  asked(method: string, path: RegExp): number
}

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export async function peer(
  answer: (received: Received, response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<Peer> {
  const requests: Received[] = []
  const listener: RequestListener = async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray())
      const received = { method: request.method!, path: request.url!, headers: request.headers, body }
      requests.push(received)
      await answer(received, response, request)
    } catch {
      response.destroy()
    }
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked: (method, path) => requests.filter((each) => each.method === method && path.test(each.path)).length,
  }
}

export const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export interface WordpressItem {
  id: number
  slug: string
  source_url: string
  mime_type: string
  alt_text: string
  title: { raw: string }
  caption: { raw: string }
  description: { raw: string }
  bytes: Buffer
}

/** What goes wrong with the next upload. `after`: once the bytes were taken; `before`: before anything was kept. */
export type Mishap =
  | 'cut after'
  | 'cut before'
  | 'error after'
  | 'error before'
  | 'busy'
  | 'redirect'
  | 'refuse'
  | 'hang before'
  | 'hang after'

/** A media library that behaves like WordPress's where we lean on it. */
export async function wordpressPeer(password = 'pass word') {
  const items: WordpressItem[] = []
  const mishaps: Mishap[] = []
  let lookMishap: 'error' | 'forbid' | undefined
  let words: 'taken' | 'to hang' | 'hanging' = 'taken'
  const it = await peer(async ({ method, path, headers, body }, response) => {
    const url = new URL(path, 'http://site')
    const wanted = `Basic ${Buffer.from(`editor:${password}`).toString('base64')}`
    if (headers.authorization !== wanted)
      return json(response, { code: 'rest_not_logged_in', message: 'You are not logged in.' }, 401)
    if (url.pathname === '/wp-json/wp/v2/users/me')
      return json(response, { capabilities: { upload_files: true } })
    const id = Number(/^\/wp-json\/wp\/v2\/media\/(\d+)$/.exec(url.pathname)?.[1])
    const one = items.find((item) => item.id === id)
    if (id && !one) return json(response, { code: 'rest_post_invalid_id', message: 'Invalid post ID.' }, 404)
    if (one && method === 'POST') {
      if (words === 'to hang') {
        words = 'hanging'
        return
      }
      const given = JSON.parse(body.toString())
      one.alt_text = given.alt_text
      for (const name of ['title', 'caption', 'description'] as const) one[name] = { raw: given[name] }
    }
    if (one && method === 'DELETE') items.splice(items.indexOf(one), 1)
    if (one) return json(response, shown(one))
    if (method === 'GET') {
      if (lookMishap) return json(response, {}, lookMishap === 'error' ? 500 : 403)
      const { slug, search } = Object.fromEntries(url.searchParams)
      return json(
        response,
        items.filter((item) => item.slug === slug || (search && item.title.raw.includes(search))).map(shown),
      )
    }
    const mishap = mishaps.shift()
    if (mishap === 'cut before') return response.destroy()
    if (mishap === 'error before') return json(response, { message: 'Database error' }, 500)
    if (mishap === 'busy') return json(response, { message: 'Too many' }, 429)
    if (mishap === 'refuse') return json(response, { message: 'Sorry, you may not.' }, 403)
    if (mishap === 'redirect')
      return response.writeHead(301, { location: 'https://elsewhere.example/' }).end()
    if (mishap === 'hang before') return
    const item = keep(items, it.url, headers, body)
    if (mishap === 'cut after') return response.destroy()
    if (mishap === 'hang after') return
    if (mishap === 'error after') return json(response, { message: 'Out of memory' }, 502)
    return json(response, shown(item), 201)
  })
  return {
    ...it,
    items,
    /** The next uploads go wrong like this, one after the other. */
    suffers: (...these: Mishap[]) => mishaps.push(...these),
    looksLike: (mishap: typeof lookMishap) => {
      lookMishap = mishap
    },
    /** The next words are heard and not answered. */
    hangsOnWords: () => {
      words = 'to hang'
    },
    isHanging: () => words === 'hanging',
    uploads: () => it.asked('POST', /\/media$/),
  }
}

function keep(items: WordpressItem[], url: string, headers: IncomingMessage['headers'], bytes: Buffer) {
  const filename = /filename="([^"]+)"/.exec(headers['content-disposition']!)![1]!
  const stem = filename.replace(/\.[^.]+$/, '')
  const taken = items.filter((item) => item.slug.startsWith(stem)).length
  const slug = taken ? `${stem}-${taken + 1}` : stem
  const item = {
    id: 100 + items.length,
    slug,
    source_url: `${url}/wp-content/uploads/${filename}`,
    mime_type: headers['content-type']!,
    alt_text: '',
    title: { raw: stem },
    caption: { raw: '' },
    description: { raw: '' },
    bytes,
  }
  items.push(item)
  return item
}

const shown = ({ bytes: _, ...item }: WordpressItem) => item
