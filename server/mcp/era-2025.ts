import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.ts'
import { whileChanging } from './following.ts'
import { mcpServer } from './server.ts'
import { changedUris, touchSession } from './subscriptions.ts'

const hour = 3_600_000

/** It names what an agent follows, in the database, and nothing else: any node knows it. */
export const newSessionId = () => randomUUID()

/** The messages of a POST until 2025-11-25: one, or a batch. */
export async function answerMessages({ agent, log, request, body, signal }: Exchange): Promise<Response> {
  const server = await mcpServer(agent, log)
  signal.addEventListener('abort', () => server.close())
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(request, { parsedBody: body })
}

/** The stream on which a session hears of what it follows. */
export async function toldOfSession(exchange: Exchange): Promise<Response> {
  const { agent, log, request, signal } = exchange
  const server = await mcpServer(agent, log)
  const transport = new WebStandardStreamableHTTPServerTransport()
  await server.connect(transport)
  const response = await transport.handleRequest(request)
  if (!response.ok) return response
  let touchedAt = 0
  const changes = async () => {
    if (Date.now() - touchedAt >= hour) {
      await touchSession(agent)
      touchedAt = Date.now()
    }
    return changedUris(agent)
  }
  whileChanging(exchange, changes, (uri) => server.sendResourceUpdated({ uri })).finally(() => server.close())
  signal.addEventListener('abort', () => server.close())
  return response
}
