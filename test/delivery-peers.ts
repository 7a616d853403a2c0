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
  /** Which response the so many-th request is answered with; none, and it never is. */
  responseTo: (count: number, response: ServerResponse) => ServerResponse | undefined = (_, response) =>
    response,
): Promise<Peer> {
  const requests: Received[] = []
  const listener: RequestListener = async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray())
      const received = { method: request.method!, path: request.url!, headers: request.headers, body }
      const answered = responseTo(requests.push(received), response)
      if (answered) await answer(received, answered, request)
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

/** How a page of errors, a log or a plugin may write down what it was sent. */
export const waysToSay = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).toLowerCase(),
  new URLSearchParams({ '': secret }).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  secret
    .split('')
    .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join(''),
  secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(`a:${secret}`).toString('base64'),
  Buffer.from(`"${secret}"`).toString('base64'),
]

export interface WordpressItem {
  id: number
  slug: string
  source_url: string
  mime_type: string
  alt_text: string
  title: { raw: string }
  caption: { raw: string }
  description: { raw: string }
  date_gmt: string
  media_details: { filesize: number }
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
  | 'timed out at work'
  | 'garbled after'

/** As PHP writes it before an answer, with what JSON begins with in it. */
export const phpNotice =
  '<br />\n<b>Notice</b>:  Undefined offset: [0] in <b>/srv/wp-content/plugins/x{1}.php</b> on line <b>7</b><br />\n'

const page = '<!doctype html><html><title>{"id":1}</title><p>One moment, please…</p></html>'

/** A media library that behaves like WordPress's where we lean on it. Something has been in it before. */
export async function wordpressPeer(password = 'pass word', responseTo?: Parameters<typeof peer>[1]) {
  const items: WordpressItem[] = []
  const before = { id: 99, slug: 'logo', source_url: 'https://site.example/logo.png', title: { raw: 'Logo' } }
  let unfinished: (() => void) | undefined
  let preface = ''
  let renames = false
  const mishaps: Mishap[] = []
  let lookMishap: 'error' | 'forbid' | 'garbled' | 'hidden' | undefined
  let words: 'taken' | 'to hang' | 'hanging' = 'taken'
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(preface + JSON.stringify(body))
  const it = await peer(async ({ method, path, headers, body }, response) => {
    const url = new URL(path, 'http://site')
    const wanted = `Basic ${Buffer.from(`editor:${password}`).toString('base64')}`
    if (!headers.authorization)
      return json(response, { code: 'rest_not_logged_in', message: 'You are not logged in.' }, 401)
    if (headers.authorization !== wanted)
      return json(response, { code: 'incorrect_password', message: 'The password is invalid.' }, 401)
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
      if (lookMishap === 'garbled') return response.writeHead(200).end(page)
      if (lookMishap === 'hidden') return json(response, [])
      if (lookMishap) return json(response, {}, lookMishap === 'error' ? 500 : 403)
      const { slug, search, orderby } = Object.fromEntries(url.searchParams)
      const all = [before, ...items.map(shown)].reverse()
      return json(
        response,
        orderby
          ? all
          : all.filter((item) => item.slug === slug || (search && item.title.raw.includes(search))),
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
    if (mishap === 'timed out at work') {
      unfinished = () => keep(items, it.url, url.searchParams, headers, body, renames)
      return response.writeHead(504, { 'content-type': 'text/html' }).end(page)
    }
    const item = keep(items, it.url, url.searchParams, headers, body, renames)
    if (mishap === 'garbled after') return response.writeHead(201).end(page)
    if (mishap === 'cut after') return response.destroy()
    if (mishap === 'hang after') return
    if (mishap === 'error after') return json(response, { message: 'Out of memory' }, 502)
    return json(response, shown(item), 201)
  }, responseTo)
  return {
    ...it,
    items,
    /** The next uploads go wrong like this, one after the other. */
    suffers: (...these: Mishap[]) => mishaps.push(...these),
    looksLike: (mishap: typeof lookMishap) => {
      lookMishap = mishap
    },
    /** Written before every answer. */
    prefaces: (text: string) => {
      preface = text
    },
    /** Whatever is uploaded gets a name of the site's own, and nothing of ours is left in it. */
    renames: () => {
      renames = true
    },
    isAtWork: () => unfinished !== undefined,
    /** What it was at work on when the gateway gave up is there now. */
    finishes: () => unfinished!(),
    /** The next words are heard and not answered. */
    hangsOnWords: () => {
      words = 'to hang'
    },
    isHanging: () => words === 'hanging',
    uploads: () => it.asked('POST', /\/media\?/),
  }
}

function keep(
  items: WordpressItem[],
  url: string,
  words: URLSearchParams,
  headers: IncomingMessage['headers'],
  bytes: Buffer,
  renames: boolean,
) {
  const given = /filename="([^"]+)"/.exec(headers['content-disposition']!)![1]!
  const filename = renames ? given.replace(/^.*(?=\.)/, `harbour-cafe-${items.length + 1}`) : given
  const stem = filename.replace(/\.[^.]+$/, '')
  const wanted = (!renames && words.get('slug')) || stem
  const taken = items.filter((item) => item.slug.startsWith(wanted)).length
  const item = {
    id: 100 + items.length,
    slug: taken ? `${wanted}-${taken + 1}` : wanted,
    source_url: `${url}/wp-content/uploads/${filename}`,
    mime_type: headers['content-type']!,
    alt_text: words.get('alt_text') ?? '',
    title: { raw: (!renames && words.get('title')) || stem },
    caption: { raw: words.get('caption') ?? '' },
    description: { raw: words.get('description') ?? '' },
    date_gmt: new Date().toISOString().slice(0, 19),
    media_details: { filesize: bytes.length },
    bytes,
  }
  items.push(item)
  return item
}

const shown = ({ bytes: _, ...item }: WordpressItem) => item
