import { AuditPage, AuditQuery, ClientAuditQuery } from '../../contract/audit.ts'
import { PathId, Strict } from '../../contract/words.ts'
import type { App } from '../http/app.ts'
import { readTrail } from './trail.ts'

/** To be read and no more: what is added is added where it is done. */
export async function auditRoutes(app: App) {
  const { db } = app.parts
  const config = { permission: 'audit:read' } as const

  app.get(
    '/admin/audit',
    {
      schema: { summary: 'Read the audit trail', querystring: AuditQuery, response: { 200: AuditPage } },
      config,
    },
    async (request) => readTrail(db, request.query),
  )
  app.get(
    '/admin/clients/:clientId/audit',
    {
      schema: {
        summary: 'Read the audit trail of a client',
        params: Strict({ clientId: PathId('client') }),
        querystring: ClientAuditQuery,
        response: { 200: AuditPage },
      },
      config,
    },
    async (request) => readTrail(db, { ...request.query, clientId: request.params.clientId }),
  )
}
