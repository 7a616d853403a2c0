import { ClientRemoval, ClientRemovalQuery, ClientRemovals, RemoveClient } from '../../contract/clients.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { callerOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { listRemovals } from './removals.ts'
import { removeClient } from './remove-client.ts'

export async function removalRoutes(app: App) {
  app.delete(
    '/admin/clients/:clientId',
    {
      schema: {
        summary: 'Remove a client with everything it has',
        description:
          'It is out of reach at once; a job removes rows and objects. What was removed can be read at /admin/client-removals.',
        params: Strict({ clientId: PathId('client') }),
        body: RemoveClient,
        response: { 202: ClientRemoval },
      },
      config: { permission: 'clients:write', refuses: ['legal-hold', 'in-use'] },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(await removeClient(app.parts, callerOf(request), request.params.clientId, request.body)),
  )
  app.get(
    '/admin/client-removals',
    {
      schema: {
        summary: 'List what was removed with clients',
        querystring: ClientRemovalQuery,
        response: { 200: ClientRemovals },
      },
      config: { permission: 'clients:write' },
    },
    async (request) => listRemovals(app.parts.db, request.query.clientId),
  )
}
