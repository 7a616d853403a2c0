import { Type } from 'typebox'
import {
  AdsConnection,
  AdsConnectionChange,
  AgentHeartbeat,
  AgentRuntime,
  Attribution,
  LandingPage,
  LandingPageInput,
  LandingPages,
  NewAdsConnection,
  Status,
} from '../../contract/diagnostics.ts'
import { Id, Strict } from '../../contract/words.ts'
import { callerOf, hasCredentials, onceKeyOf, recognise } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { notFound } from '../problems.ts'
import { adsConnection, changeAdsConnection, createAdsConnection } from './ads.ts'
import { agentRuntime, beat } from './agents.ts'
import { attributionOf, listLandingPages, putLandingPage } from './landing-pages.ts'
import { recently } from './recently.ts'
import { databaseAnswers, platformStatus, withoutDetails } from './status.ts'

const Name = Type.String({ maxLength: 200 })
const agent = Strict({ agentId: Name })
const slug = Strict({ slug: Name })
const provider = Strict({ provider: Name })
const connection = Strict({ provider: Name, connectionId: Id('connection') })

export async function diagnosticRoutes(app: App, { leaving }: { leaving?: AbortSignal | undefined }) {
  const { parts } = app
  const { db } = parts
  // Strangers may ask, as often as they like.
  const status = recently(1000, () => platformStatus(parts))
  const ready = recently(250, () => databaseAnswers(parts))
  const known = (name: string) => {
    if (!parts.config.adsProviders.includes(name)) throw notFound()
    return name
  }

  app.get(
    '/status',
    { schema: { response: { 200: Status } }, config: { permission: 'public' } },
    async (request) => {
      const known = hasCredentials(request) && (await recognise(request).catch(() => undefined))
      return known ? status() : withoutDetails(await status())
    },
  )
  app.get('/livez', { config: { permission: 'public' }, schema: { hide: true } }, async () => ({
    status: 'ok',
  }))
  app.get('/readyz', { config: { permission: 'public' }, schema: { hide: true } }, async (_, reply) => {
    if (leaving?.aborted) return reply.code(503).send({ status: 'leaving' })
    await ready()
    return { status: 'ok' }
  })

  app.get(
    '/admin/seo/agents/:agentId/runtime',
    {
      schema: { params: agent, response: { 200: AgentRuntime } },
      config: { permission: 'diagnostics:read', refuses: ['not-found'] },
    },
    async (request) => agentRuntime(db, callerOf(request), request.params.agentId),
  )
  app.put(
    '/admin/seo/agents/:agentId/runtime',
    {
      schema: { params: agent, body: AgentHeartbeat, response: { 200: AgentRuntime } },
      config: { permission: 'runtime:write', refuses: ['not-found'] },
    },
    async (request) => beat(db, callerOf(request), request.params.agentId, request.body),
  )

  app.get(
    '/admin/:provider-ads/connections/:connectionId',
    {
      schema: { params: connection, response: { 200: AdsConnection } },
      config: { permission: 'diagnostics:read', refuses: ['not-found'] },
    },
    async (request) =>
      adsConnection(db, callerOf(request), known(request.params.provider), request.params.connectionId),
  )
  app.post(
    '/admin/:provider-ads/connections',
    {
      schema: { params: provider, body: NewAdsConnection, response: { 201: AdsConnection } },
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
            onceKeyOf(request),
          ),
        ),
  )
  app.patch(
    '/admin/:provider-ads/connections/:connectionId',
    {
      schema: { params: connection, body: AdsConnectionChange, response: { 200: AdsConnection } },
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

  app.get(
    '/admin/landing-pages',
    { schema: { response: { 200: LandingPages } }, config: { permission: 'diagnostics:write' } },
    async () => ({ landingPages: await listLandingPages(db) }),
  )
  app.put(
    '/admin/landing-pages/:slug',
    {
      schema: { params: slug, body: LandingPageInput, response: { 200: LandingPage } },
      config: { permission: 'diagnostics:write', refuses: ['not-found'] },
    },
    async (request) => putLandingPage(db, callerOf(request), request.params.slug, request.body),
  )
  app.get(
    '/lp-api/:slug',
    {
      schema: { params: slug, response: { 200: Attribution } },
      config: { permission: 'public', refuses: ['not-found'] },
    },
    async (request) =>
      attributionOf(
        db,
        request.params.slug,
        request.query as Record<string, unknown>,
        request.headers.referer,
      ),
  )
}
