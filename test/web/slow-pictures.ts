import { request as ask, createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server behind a front that lets everything through but pictures: those are still being made, for ever. */
export async function slowPictures(site: string) {
  const held = new Set<ServerResponse>()
  const front = createServer((request, response) => {
    if (/\/preview\?/.test(request.url!)) {
      held.add(response)
      response.once('close', () => held.delete(response))
      return
    }
    const { method, headers } = request
    const onward = ask(new URL(request.url!, site), {
      method,
      headers: { ...headers, host: new URL(site).host },
    })
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.once('error', () => response.destroy())
    response.once('close', () => onward.destroy())
    request.pipe(onward)
  }).listen(0, 'localhost')
  await new Promise((resolve) => front.once('listening', resolve))
  return {
    url: `http://localhost:${(front.address() as AddressInfo).port}`,
    /** How many pictures are waited for. */
    held: () => held.size,
    close() {
      front.close()
      front.closeAllConnections()
    },
  }
}
