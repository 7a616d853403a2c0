import { Type } from 'typebox'
import { AgentHeartbeat, AgentRuntime, AgentRuntimeQuery } from '../../contract/diagnostics.ts'
import { Strict } from '../../contract/words.ts'
import { callerOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { agentRuntime, beat } from './agents.ts'

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
