import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A balancer that knows nothing: each request goes to the next node. */
export async function balancer(nodes: string[]) {
  let turn = 0
  const served = nodes.map(() => 0)
  const server = createServer((asked, reply) => {
    const node = turn++ % nodes.length
    served[node]! += 1
    const onward = request(new URL(asked.url!, nodes[node]), { method: asked.method, headers: asked.headers })
    onward.on('response', (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
