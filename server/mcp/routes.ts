import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { isLegacyRequest } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, recognise } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { answerPreflight } from '../http/other-sites.ts'
import { Problem } from '../problems.ts'
import type { Agent } from './agent.ts'
import { openBatches } from './batches.ts'
import { answerMessages, newSessionId, toldOfSession } from './era-2025.ts'
import { answerRequest, isListen } from './era-2026.ts'
import type { Exchange } from './exchange.ts'
import { endSession } from './subscriptions.ts'

/**
 * MCP over streamable HTTP, in its revisions of 2026-07-28 and until 2025-11-25, told apart by what a request says of
 * itself. Nothing is kept in memory between requests: every request carries its key and gets a server of its own, so
 * any node can take any request.
 */
export async function mcpRoutes(app: App) {
  const config = { permission: 'assets:read', takesSignedInAgents: true, pages: 'named' } as const
  const schema = { hide: true }
  const open = new Set<AbortController>()
  const holdBatch = openBatches()
  // An open stream would keep the server from closing.
  app.addHook('preClose', async () => {
    for (const stream of open) stream.abort()
  })

  answerPreflight(app, '/mcp', 'named')
  app.post('/mcp', { config, schema }, async (request, reply) => {
    holdBatch(request, reply)
    const exchange = exchangeOf(request, reply)
    if (await isLegacyRequest(exchange.request, request.body)) {
      if (isInitialize(request.body)) reply.header('mcp-session-id', newSessionId())
      return answer(reply, await answerMessages(exchange))
    }
    if (isListen(request.body)) app.streams.hold(request, reply)
    return answer(reply, await answerRequest(exchange))
  })

  app.get('/mcp', { config, schema, logLevel: 'warn' }, async (request, reply) => {
    const exchange = exchangeOf(request, reply)
    if (!exchange.agent.sessionId)
      throw new Problem('invalid-request', 'Send the Mcp-Session-Id that initialize answered with.')
    app.streams.hold(request, reply)
    return answer(reply, await toldOfSession(exchange))
  })

  app.delete('/mcp', { config, schema }, async (request, reply) => {
    const agent = agentOf(request)
    if (agent.sessionId) await endSession(agent)
    return reply.code(204).send()
  })

  function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
    const left = new AbortController()
    open.add(left)
    reply.raw.once('close', () => {
      open.delete(left)
      left.abort()
    })
    return {
      agent: agentOf(request),
      request: webRequest(request, left.signal),
      body: request.body,
      log: request.log,
      signal: left.signal,
      mayGoOn: async () => !!(await recognise(request))?.caller.permissions.has('assets:read'),
    }
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

const webRequest = ({ method, url, headers, server }: FastifyRequest, signal: AbortSignal) =>
  new Request(new URL(url, server.parts.config.publicUrl), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal,
  })

function answer(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  reply.code(status).headers(Object.fromEntries(headers))
  if (!body) return reply.send()
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  return reply.send(
    isStream ? Readable.from(begun(body as ReadableStream)) : Readable.fromWeb(body as ReadableStream),
  )
}

/** Headers go out with the first bytes: whoever listens need not wait for the first event to know that it does. */
async function* begun(events: ReadableStream): AsyncGenerator<Uint8Array> {
  yield Buffer.from(': listening\n\n')
  yield* events
}
