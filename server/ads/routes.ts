import { Type } from 'typebox'
import { AdsConnection, AdsConnectionChange, NewAdsConnection } from '../../contract/diagnostics.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { callerOf, idempotencyKeyOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { notFound } from '../problems.ts'
import { adsConnection, changeAdsConnection, createAdsConnection } from './ads.ts'

const Name = Type.String({ maxLength: 200 })
const provider = Strict({ provider: Name })
const connection = Strict({ provider: Name, connectionId: PathId('connection') })

export async function adsRoutes(app: App) {
  const { config, db } = app.parts
  const known = (name: string) => {
    if (!config.adsProviders.includes(name)) throw notFound()
    return name
  }

  app.get(
    '/admin/:provider-ads/connections/:connectionId',
    {
      schema: { summary: 'Read an ads connection', params: connection, response: { 200: AdsConnection } },
      config: { permission: 'diagnostics:read', refuses: ['not-found'] },
    },
    async (request) =>
      adsConnection(db, callerOf(request), known(request.params.provider), request.params.connectionId),
  )
  app.post(
    '/admin/:provider-ads/connections',
    {
      schema: {
        summary: 'Create an ads connection',
        params: provider,
        body: NewAdsConnection,
        response: { 201: AdsConnection },
      },
      config: { permission: 'diagnostics:write', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await createAdsConnection(
            db,
            callerOf(request),
            known(request.params.provider),
            request.body,
            idempotencyKeyOf(request),
          ),
        ),
  )
  app.patch(
    '/admin/:provider-ads/connections/:connectionId',
    {
      schema: {
        summary: 'Change an ads connection',
        params: connection,
        body: AdsConnectionChange,
        response: { 200: AdsConnection },
      },
      config: { permission: 'diagnostics:write', refuses: ['not-found'] },
    },
    async (request) =>
      changeAdsConnection(
        db,
        callerOf(request),
        known(request.params.provider),
        request.params.connectionId,
        request.body,
      ),
  )
}
