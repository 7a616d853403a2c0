import { Connection, ConnectionChange, Connections, NewConnection } from '../../contract/deliveries.ts'
import { SignInBegun } from '../../contract/sign-in.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import {
  changeConnection,
  createConnection,
  listConnections,
  removeConnection,
  testConnection,
} from './connections.ts'
import { sessionOf } from './sign-in/session.ts'
import { beginSignIn, signInOffers } from './sign-in/sign-in.ts'

export async function connectionRoutes(app: App) {
  const { parts } = app
  const params = inLibrary(app)
  const ofConnection = inLibrary(app, { connectionId: PathId('connection') })

  app.get(
    '/',
    {
      schema: { summary: 'List connections', params, response: { 200: Connections } },
      config: { permission: 'deliveries:read' },
    },
    async (request) => ({
      connections: await listConnections(libraryOf(request)),
      signIn: signInOffers(parts),
    }),
  )
  app.post(
    '/',
    {
      schema: { summary: 'Create a connection', params, body: NewConnection, response: { 201: Connection } },
      config: { permission: 'clients:write', refuses: ['idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply.code(201).send(await createConnection(libraryOf(request), parts, request.body)),
  )
  app.patch(
    '/:connectionId',
    {
      schema: {
        summary: 'Change a connection',
        params: ofConnection,
        body: ConnectionChange,
        response: { 200: Connection },
      },
      config: { permission: 'clients:write' },
    },
    async (request) => changeConnection(libraryOf(request), parts, request.params.connectionId, request.body),
  )
  app.delete(
    '/:connectionId',
    {
      schema: { summary: 'Remove a connection', params: ofConnection },
      config: { permission: 'clients:write' },
    },
    async (request, reply) => {
      await removeConnection(libraryOf(request), app.parts, request.params.connectionId)
      return reply.code(204).send()
    },
  )
  app.post(
    '/:connectionId/test',
    {
      schema: { summary: 'Test a connection', params: ofConnection, response: { 200: Connection } },
      config: { permission: 'deliveries:write', waitsElsewhere: true, refuses: ['secret-key-changed'] },
    },
    async (request) => testConnection(libraryOf(request), parts, request.params.connectionId),
  )
  app.post(
    '/:connectionId/sign-in',
    {
      schema: {
        summary: 'Begin to sign in to a connection',
        params: ofConnection,
        response: { 200: SignInBegun },
      },
      config: { permission: 'clients:write', refuses: ['sign-in-not-configured'] },
    },
    async (request) =>
      beginSignIn(libraryOf(request), parts, sessionOf(request), request.params.connectionId),
  )
}
