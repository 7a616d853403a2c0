import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** When the line of an upload is cut, or answered for. The bytes have been accepted either way. */
export type Cut = 'before the answer is there' | 'when the answer is there' | '504 after 20 seconds'

/** Stands between the library and WordPress and passes everything on, but for the lines it is told to cut. */
export async function cuttingProxy() {
  const cuts: Cut[] = []
  let origin = ''
  let uploads = 0
  const server = createServer((request, response) => {
    const isUpload = request.method === 'POST' && /\/wp\/v2\/media[?&]/.test(decodeURIComponent(request.url!))
    if (isUpload) uploads++
    const cut = isUpload ? cuts.shift() : undefined
    const onward = forward(
      `${origin}${request.url}`,
      { method: request.method, headers: request.headers },
      (answer) => {
        if (cut) {
          answer.resume()
          if (!response.writableEnded) response.destroy()
          return
        }
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
    // WordPress goes on with what it has, though nobody waits for its answer.
    if (cut === 'before the answer is there')
      request.once('end', () => setTimeout(() => response.destroy(), 5))
    if (cut === '504 after 20 seconds')
      setTimeout(() => response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>504</h1>'), 20_000)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadsTo: (url: string) => {
      origin = url
    },
    cuts: (cut: Cut) => cuts.push(cut),
    uploads: () => uploads,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
