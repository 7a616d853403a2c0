import {
  Client,
  ClientChange,
  ClientPage,
  ClientQuery,
  ClientRecord,
  NewClient,
} from '../../contract/clients.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { callerOf, idempotencyKeyOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { changeClient, clientRecord, createClient, listClients } from './clients.ts'
import { refuseNotInstalled } from './ocr.ts'

const params = Strict({ clientId: PathId('client') })

export async function clientRoutes(app: App) {
  const { db, config, media } = app.parts

  app.get(
    '/admin/clients',
    {
      schema: { summary: 'List clients', querystring: ClientQuery, response: { 200: ClientPage } },
      config: { permission: 'clients:read' },
    },
    async (request) => listClients(db, callerOf(request), request.query),
  )
  app.post(
    '/admin/clients',
    {
      schema: { summary: 'Create a client', body: NewClient, response: { 201: Client } },
      config: { permission: 'clients:write', refuses: ['idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await createClient(db, callerOf(request), config.limits, request.body, idempotencyKeyOf(request)),
        ),
  )
  app.get(
    '/admin/clients/:clientId',
    {
      schema: { summary: 'Read a client', params, response: { 200: ClientRecord } },
      config: { permission: 'clients:read' },
    },
    async (request) => clientRecord(app.parts, request.params.clientId),
  )
  app.patch(
    '/admin/clients/:clientId',
    {
      schema: { summary: 'Change a client', params, body: ClientChange, response: { 200: Client } },
      config: { permission: 'clients:write', refuses: ['language-not-installed'] },
    },
    async (request) => {
      await refuseNotInstalled(media, request.body.ocrLanguages ?? [])
      return changeClient(db, callerOf(request), request.params.clientId, request.body)
    },
  )
}
