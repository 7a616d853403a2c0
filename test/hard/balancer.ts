import { once } from 'node:events'
import { Agent, request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Backend {
  url: string
  ready: boolean
  agent: Agent
}

/**
 * The least that any balancer does: takes turns among nodes whose /readyz says yes, over connections it keeps. It
 * never asks twice, so what a node does not answer is a failed request.
 */
export async function startBalancer(urls: string[], port: number) {
  const backends: Backend[] = urls.map((url) => ({
    url,
    ready: false,
    agent: new Agent({ keepAlive: true, maxSockets: 64 }),
  }))
  const failures: string[] = []
  const counts = { requests: 0 }
  const look = setInterval(() => {
    for (const backend of backends)
      fetch(`${backend.url}/readyz`, { signal: AbortSignal.timeout(3000) })
        .then(({ ok }) => ok)
        .catch(() => false)
        .then((ready) => {
          backend.ready = ready
        })
  }, 100)

  let turn = 0
  const server = createServer((incoming, outgoing) => {
    counts.requests++
    const ready = backends.filter((backend) => backend.ready)
    const backend = ready[turn++ % ready.length]
    const fails = (why: string) => {
      failures.push(`${incoming.method} ${incoming.url} at ${backend?.url}: ${why}`)
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    }
    if (!backend) return fails('no node is ready')
    const { method, url, headers } = incoming
    const passing = ask(backend.url + url, { method: method!, headers, agent: backend.agent }, (answer) => {
      if (answer.statusCode! >= 500) failures.push(`${method} ${url}: ${answer.statusCode}`)
      outgoing.writeHead(answer.statusCode!, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    passing.on('error', (error) => !incoming.destroyed && fails(error.message))
    outgoing.on('close', () => !outgoing.writableFinished && passing.destroy())
    incoming.pipe(passing)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    counts,
    isReady: (url: string) => backends.find((backend) => backend.url === url)!.ready,
    async stop() {
      clearInterval(look)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      for (const { agent } of backends) agent.destroy()
    },
  }
}
