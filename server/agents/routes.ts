import { Type } from 'typebox'
import { AgentQuery, AgentRecord, Agents } from '../../contract/agents.ts'
import { AgentHeartbeat, AgentRuntime, AgentRuntimeQuery } from '../../contract/diagnostics.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { callerOf, libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { agentRuntime, beat } from './agents.ts'
import { listAgents, readAgent } from './record.ts'
import { stopAgent } from './stop.ts'

/** What agents did for one client. */
export async function clientAgentRoutes(app: App) {
  const ofAgent = inLibrary(app, { keyId: PathId('key') })
  app.get(
    '/',
    {
      schema: { summary: 'List the agents of a client', params: inLibrary(app), response: { 200: Agents } },
      config: { permission: 'agents:read' },
    },
    async (request) => ({ agents: await listAgents(libraryOf(request)) }),
  )
  app.get(
    '/:keyId',
    {
      schema: {
        summary: 'Read what an agent did for a client',
        params: ofAgent,
        querystring: AgentQuery,
        response: { 200: AgentRecord },
      },
      config: { permission: 'agents:read', refuses: ['not-found'] },
    },
    async (request) => readAgent(libraryOf(request), app.parts.sealer, request.params.keyId, request.query),
  )
  app.delete(
    '/:keyId',
    {
      schema: {
        summary: 'Stop an agent for a client',
        description: 'What it may do for other clients stays. An agent that has none left is gone.',
        params: ofAgent,
      },
      config: { permission: 'agents:stop', refuses: ['not-found'] },
    },
    async (request, reply) => {
      await stopAgent(libraryOf(request), request.params.keyId)
      return reply.code(204).send()
    },
  )
}

export async function agentRoutes(app: App) {
  const { db } = app.parts
  const params = Strict({ agentId: Type.String({ maxLength: 200 }) })

  app.get(
    '/admin/seo/agents/:agentId/runtime',
    {
      schema: {
        summary: 'Read the runtime of an agent',
        params,
        querystring: AgentRuntimeQuery,
        response: { 200: AgentRuntime },
      },
      config: { permission: 'diagnostics:read', refuses: ['not-found'] },
    },
    async (request) => agentRuntime(db, callerOf(request), request.params.agentId, request.query),
  )
  app.put(
    '/admin/seo/agents/:agentId/runtime',
    {
      schema: {
        summary: 'Send the heartbeat of an agent',
        params,
        body: AgentHeartbeat,
        response: { 200: AgentRuntime },
      },
      config: { permission: 'runtime:write', refuses: ['not-found', 'too-many-agents'] },
    },
    async (request) => beat(db, callerOf(request), request.params.agentId, request.body),
  )
}
