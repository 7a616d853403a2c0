import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Health checks: counted against no limit. */
export const probes: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

/** A worker answers nobody else. */
export async function answerProbes(app: FastifyInstance, port: number, host: string): Promise<void> {
  const server = createServer((request, response) => {
    if (probes.has(request.url ?? '')) app.routing(request, response)
    else response.writeHead(404).end()
  })
  server.requestTimeout = 10_000
  app.addHook('onClose', async () => {
    server.close()
    server.closeAllConnections()
  })
  await app.ready()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
}
