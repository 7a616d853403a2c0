import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What befalls one request: it is cut while it is sent, refused because all are busy, or done and its answer lost. */
export interface Trouble {
  kind: 'cut' | 'busy' | 'lost'
  at: `${string} ${string}`
}

export interface BadLine {
  url: string
  /** What came through here, with what it was repeated by. */
  requests: { at: string; idempotencyKey: string | undefined }[]
  /** From now on each of these befalls the next request that begins so. */
  expects(...troubles: Trouble[]): void
  /** Those that nothing has met yet. */
  pending(): Trouble[]
}

/** A way to the library on which requests fail, also those to the addresses that files are put to. */
export async function badLine(library: string): Promise<BadLine> {
  const requests: BadLine['requests'] = []
  let pending: Trouble[] = []

  const server = createServer(async (request, response) => {
    const at = `${request.method} ${request.url}`
    requests.push({ at, idempotencyKey: request.headers['idempotency-key'] as string | undefined })
    const trouble = pending.find((one) => at.startsWith(one.at))
    pending = pending.filter((one) => one !== trouble)
    if (trouble?.kind === 'cut') return request.socket.resetAndDestroy()
    if (trouble?.kind === 'busy') {
      request.resume()
      return response.writeHead(503, { 'retry-after': '1' }).end('{"code": "media-busy"}')
    }
    const answer = await fetch(library + request.url, {
      method: request.method!,
      headers: passedOn(request),
      body: request.method === 'GET' ? null : Buffer.concat(await request.toArray()),
    }).catch(() => undefined)
    if (!answer || trouble?.kind === 'lost') return request.socket.destroy()
    const text = (await answer.text()).replaceAll(library, url)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    requests,
    expects: (...troubles) => {
      pending = troubles
    },
    pending: () => pending,
  }
}

const passedOn = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    ['authorization', 'content-type', 'idempotency-key', 'accept'].flatMap((name) =>
      headers[name] ? [[name, String(headers[name])]] : [],
    ),
  )
