import { createMcpHandler, type ServerEventBus } from '@modelcontextprotocol/server'
import { Problem } from '../problems.ts'
import type { Exchange } from './exchange.ts'
import { changesOf, mayFollow, whileChanging } from './following.ts'
import { mcpServer } from './server.ts'
import { serveTasks } from './tasks.ts'

const mostFollowed = 1000

interface Listen {
  method: 'subscriptions/listen'
  params: { notifications: { resourceSubscriptions?: string[] } }
}

/** A request since 2026-07-28: it says all that is needed to answer it. */
export async function answerRequest(exchange: Exchange): Promise<Response> {
  const { agent, log, request, signal } = exchange
  const body = isListen(exchange.body) ? await withinReach(exchange, exchange.body) : exchange.body
  // From before the first word of the answer: what changes after it is told.
  const changes = await changesOf(agent, isListen(body) ? urisOf(body) : [])
  const handler = createMcpHandler(async () => serveTasks(await mcpServer(agent, log), agent), {
    legacy: 'reject',
    bus: changesToTell({ ...exchange, end: () => handler.close() }, changes),
    onerror: (error) => log.info({ err: error }, 'mcp'),
  })
  signal.addEventListener('abort', () => handler.close())
  return handler.fetch(request, { parsedBody: body })
}

export const isListen = (body: unknown): body is Listen =>
  (body as { method?: string } | null)?.method === 'subscriptions/listen' &&
  Array.isArray((body as Partial<Listen>).params?.notifications?.resourceSubscriptions)

const urisOf = ({ params }: Listen) => (params.notifications.resourceSubscriptions ?? []).map(String)

/** The same request for those assets alone that the agent may see; it is told which. */
async function withinReach({ agent }: Exchange, listen: Listen): Promise<Listen> {
  const uris = urisOf(listen)
  if (uris.length > mostFollowed)
    throw new Problem('invalid-request', `Follow ${mostFollowed} assets with one request at most.`)
  const { params } = listen
  const resourceSubscriptions = await mayFollow(agent, uris)
  return {
    ...listen,
    params: { ...params, notifications: { ...params.notifications, resourceSubscriptions } },
  }
}

/** What one listener is told: changes of what it follows, read from the database and so the same on every node. */
const changesToTell = (
  exchange: Exchange & { end(): Promise<void> },
  changes: () => Promise<string[]>,
): ServerEventBus => ({
  publish() {},
  subscribe(listener) {
    const stream = new AbortController()
    const signal = AbortSignal.any([stream.signal, exchange.signal])
    whileChanging({ ...exchange, signal }, changes, (uri) =>
      listener({ kind: 'resource_updated', uri }),
    ).finally(() => exchange.end())
    return () => stream.abort()
  },
})
