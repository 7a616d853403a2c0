import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, recognise } from '../access/door.ts'
import { makeBell } from '../events/stream.ts'
import type { App } from '../http/app.ts'
import { Problem } from '../problems.ts'
import { type Agent, clientsOf } from './agent.ts'
import { openBatches } from './batches.ts'
import { mcpServer } from './server.ts'
import { changedUris, endSession, touchSession } from './subscriptions.ts'

const beat = 10_000
const hour = 3_600_000

/**
 * MCP over streamable HTTP. Nothing of a session is kept in memory: every request carries its key and gets a server
 * of its own, and what an agent follows is in the database, so any node can take any request.
 */
export async function mcpRoutes(app: App) {
  const config = { permission: 'assets:read' } as const
  const schema = { hide: true }
  const open = new Set<AbortController>()
  const holdBatch = openBatches()
  // An open stream would keep the server from closing.
  app.addHook('preClose', async () => {
    for (const stream of open) stream.abort()
  })

  app.post('/mcp', { config, schema }, async (request, reply) => {
    holdBatch(request, reply)
    const server = await mcpServer(agentOf(request), request.log)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    const response = await transport.handleRequest(webRequest(request), { parsedBody: request.body })
    if (isInitialize(request.body)) reply.header('mcp-session-id', randomUUID())
    reply.raw.once('close', () => server.close())
    return answer(reply, response)
  })

  app.get('/mcp', { config, schema, logLevel: 'warn' }, async (request, reply) => {
    const agent = agentOf(request)
    if (!agent.sessionId)
      throw new Problem('invalid-request', 'Send the Mcp-Session-Id that initialize answered with.')
    app.streams.hold(request, reply)
    const server = await mcpServer(agent, request.log)
    const transport = new WebStandardStreamableHTTPServerTransport()
    await server.connect(transport)
    const response = await transport.handleRequest(webRequest(request))
    if (response.ok) {
      const stream = new AbortController()
      open.add(stream)
      request.raw.socket.once('close', () => stream.abort())
      const mayGoOn = async () => !!(await recognise(request))?.caller.permissions.has('assets:read')
      tellChanges(agent, {
        tell: (uri) => server.sendResourceUpdated({ uri }),
        mayGoOn,
        signal: stream.signal,
      })
        .catch((error) => request.log.warn({ err: error }, 'mcp stream'))
        .finally(() => {
          open.delete(stream)
          return server.close()
        })
    } else await server.close()
    return answer(reply, response)
  })

  app.delete('/mcp', { config, schema }, async (request, reply) => {
    const agent = agentOf(request)
    if (agent.sessionId) await endSession(agent)
    return reply.code(204).send()
  })
}

interface Telling {
  tell(uri: string): Promise<void>
  /** Asked before anything is told: a key taken away ends the stream. */
  mayGoOn(): Promise<boolean>
  signal: AbortSignal
}

async function tellChanges(agent: Agent, { tell, mayGoOn, signal }: Telling): Promise<void> {
  const bell = makeBell(signal)
  const clients = await clientsOf(agent)
  const unfollow = clients.map(({ clientId }) => agent.parts.newEvents.follow(clientId, bell.ring))
  let touchedAt = 0
  try {
    while (!signal.aborted && (await mayGoOn())) {
      for (const uri of await changedUris(agent)) await tell(uri)
      if (Date.now() - touchedAt > hour) {
        await touchSession(agent)
        touchedAt = Date.now()
      }
      await bell.rung(beat)
    }
  } finally {
    for (const stop of unfollow) stop()
  }
}

function agentOf(request: FastifyRequest): Agent {
  const caller = callerOf(request)
  if (caller.kind !== 'key')
    throw new Problem('forbidden', 'MCP is for agents. Send an API key as a Bearer token.')
  const sessionId = request.headers['mcp-session-id']
  return { parts: request.server.parts, caller, sessionId: sessionId?.toString().slice(0, 100) }
}

const isInitialize = (body: unknown) => (body as { method?: string } | null)?.method === 'initialize'

const webRequest = ({ method, url, headers, server }: FastifyRequest) =>
  new Request(new URL(url, server.parts.config.publicUrl), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  })

function answer(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status).headers(Object.fromEntries(response.headers))
  return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : undefined)
}
