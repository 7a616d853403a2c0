import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface CorsGateway {
  endpoint: string
  /** The origins that the policy names. */
  origins(): string[]
  stop(): Promise<void>
}

/**
 * Stands before the R2 simulator and does what that one leaves out: keeps a CORS policy as S3 does, minds it at a
 * preflight, and tells the time. Everything else goes through as it comes.
 */
export async function startCorsGateway(behind: string): Promise<CorsGateway> {
  const { hostname, port, pathname } = new URL(behind)
  let policy =
    '<CORSConfiguration><CORSRule><AllowedOrigin>https://another.example.com</AllowedOrigin><AllowedMethod>PUT</AllowedMethod></CORSRule></CORSConfiguration>'
  const origins = () =>
    [...policy.matchAll(/<AllowedOrigin>(.*?)<\/AllowedOrigin>/g)].map(([, name]) => name!)

  const server = createServer(async (incoming, answer) => {
    const { method, url = '', headers } = incoming
    if (/[?&]cors\b/.test(url)) {
      if (method === 'PUT') policy = await text(incoming)
      answer.setHeader('content-type', 'application/xml')
      return answer.end(method === 'GET' ? policy : '')
    }
    if (method === 'OPTIONS') {
      if (!origins().includes(headers.origin ?? '')) return answer.writeHead(403).end()
      return answer
        .writeHead(200, {
          'access-control-allow-origin': headers.origin,
          'access-control-allow-methods': 'PUT',
        })
        .end()
    }
    const onward = request({ hostname, port, path: url, method, headers }, (response) => {
      answer.writeHead(response.statusCode!, { ...response.headers, date: new Date().toUTCString() })
      response.pipe(answer)
    })
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    origins,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
