import { Type } from 'typebox'
import { Connection } from '../../../contract/deliveries.ts'
import { Strict } from '../../../contract/words.ts'
import { listConnections } from '../../connections/connections.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const listConnectionsTool = tool({
  name: 'list_connections',
  title: 'List connections',
  description: 'The systems of a client that deliver_asset can bring assets to, and whether they work.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId }),
  output: Type.Object({
    connections: Type.Array(Type.Pick(Connection, ['connectionId', 'kind', 'name', 'status', 'lastError'])),
  }),
  async run(agent, { clientId }) {
    const connections = await listConnections(await libraryFor(agent, clientId))
    return {
      answer: {
        connections: connections.map(({ connectionId, kind, name, status, lastError }) => ({
          connectionId,
          kind,
          name,
          status,
          lastError,
        })),
      },
    }
  },
})
