import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { accountRoutes } from './access/account-routes.ts'
import { guardDoors } from './access/door.ts'
import { linkRoutes } from './access/link-routes.ts'
import { accessRoutes } from './access/routes.ts'
import { secondFactorRoutes } from './access/second-factor/routes.ts'
import { singleSignOnRoutes } from './access/single-sign-on/routes.ts'
import { adsRoutes } from './ads/routes.ts'
import { agentSignInRoutes, oauthRoutes } from './agent-sign-in/routes.ts'
import { agentRoutes, clientAgentRoutes } from './agents/routes.ts'
import { batchRoutes } from './assets/batch-routes.ts'
import { assetRoutes } from './assets/routes.ts'
import { activityRoutes } from './audit/activity-routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { clientRoutes } from './clients/routes.ts'
import { assetCollectionRoutes, collectionRoutes } from './collections/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { signInRoutes } from './connections/sign-in/routes.ts'
import { pullRoutes } from './deliveries/pull-routes.ts'
import { deliveryRoutes, pullGrantRoutes } from './deliveries/routes.ts'
import { downloadRoutes } from './downloads/routes.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { folderRoutes } from './folders/routes.ts'
import { answerProblem, answerProblems } from './http/answers.ts'
import type { App } from './http/app.ts'
import { limitBodies } from './http/body-limits.ts'
import { compressAnswers } from './http/compression.ts'
import { tellMetrics } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { answerOtherSites } from './http/other-sites.ts'
import { publicly } from './http/publicly.ts'
import { requestIds } from './http/request-ids.ts'
import { observeRequest, observeRequests } from './http/request-log.ts'
import { checkRequests } from './http/requests.ts'
import { secureAnswers, securityHeaders } from './http/security-headers.ts'
import { serializeAnswers } from './http/serialization.ts'
import { answerUnknownExpectations, answerUnreadable } from './http/unreadable-requests.ts'
import { webApp } from './http/web-app.ts'
import { landingPageRoutes } from './landing-pages/routes.ts'
import type { Parts } from './library.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { pickerRoutes } from './picker/routes.ts'
import { previewRoutes } from './previews/routes.ts'
import { assetUseRoutes, referenceRoutes } from './references/routes.ts'
import { removalRoutes } from './removal/routes.ts'
import { assetReviewRoutes, reviewRoutes } from './review/routes.ts'
import { savedSearchRoutes } from './saved-searches/routes.ts'
import { guestShareRoutes } from './shares/guest-routes.ts'
import { shareRoutes } from './shares/routes.ts'
import { statusRoutes } from './status/routes.ts'
import { assetSuggestionRoutes, suggestionRoutes, suggestionSettingsRoutes } from './suggestions/routes.ts'
import { purgeRoutes, trashRoutes } from './trash/routes.ts'
import { guestUploadRoutes } from './upload-requests/guest-routes.ts'
import { isAskedFor } from './upload-requests/request.ts'
import { uploadRequestRoutes, waitingRoomRoutes } from './upload-requests/routes.ts'
import { mayPut } from './uploads/may-put.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface AppOptions {
  log: FastifyBaseLogger
  /** Aborted when this process is about to end: a balancer is told to send no more. */
  leaving?: AbortSignal
}

export async function buildApp(parts: Parts, { log, leaving }: AppOptions): Promise<App> {
  const app: App = Fastify({
    loggerInstance: log,
    // One line a request is ours to write: see `http/request-log.ts`.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors: (error, request, reply) => {
      observeRequest(request, reply)
      reply.headers(securityHeaders(parts.config))
      answerProblem(error, request, reply)
    },
    clientErrorHandler: answerUnreadable(parts.config),
    genReqId: requestIds(parts.config.trustProxy),
    trustProxy: trustedHops(parts.config.trustProxy),
    bodyLimit: 1024 * 1024,
    // Idle connections go at once when the server closes; those at work are waited for.
    forceCloseConnections: 'idle',
    // A request that was on its way when the server began to close is answered like any other.
    return503OnClosing: false,
    // A missing Host is refused by us, see `http/requests.ts`.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    keepAliveTimeout: 15_000,
    routerOptions: { maxParamLength: 5000 },
  }).withTypeProvider<TypeBoxTypeProvider>() as App

  app.decorate('parts', parts)
  secureAnswers(app, parts.config)
  answerUnknownExpectations(app, parts.config)
  await app.register(cookie)
  observeRequests(app)
  checkRequests(app)
  limitBodies(app)
  serializeAnswers(app)
  answerProblems(app)
  compressAnswers(app)
  tellMetrics(app)
  answerOtherSites(app)
  guardDoors(app)
  await describeApi(app)

  await app.register(accessRoutes)
  await app.register(accountRoutes)
  await app.register(linkRoutes)
  await app.register(secondFactorRoutes)
  await app.register(singleSignOnRoutes)
  await app.register(clientRoutes)
  await app.register(removalRoutes)
  await app.register(statusRoutes, { leaving })
  await app.register(agentRoutes)
  await app.register(agentSignInRoutes)
  await app.register(oauthRoutes)
  await app.register(adsRoutes)
  await app.register(landingPageRoutes)
  await app.register(connectionRoutes, { prefix: '/admin/clients/:clientId/connections' })
  await app.register(signInRoutes)
  await app.register(deliveryRoutes, { prefix: '/admin/clients/:clientId/deliveries' })
  await app.register(pullGrantRoutes, { prefix: '/admin/clients/:clientId/pull-grants' })
  await app.register(suggestionSettingsRoutes, { prefix: '/admin/clients/:clientId/suggestion-settings' })
  await app.register(pullRoutes)
  await app.register(guestShareRoutes)
  await app.register(guestUploadRoutes)
  await app.register(pickerRoutes)
  await app.register(webhookRoutes)
  await app.register(notificationRoutes)
  await app.register(auditRoutes)
  await app.register(purgeRoutes, { prefix: '/admin/clients/:clientId/assets' })
  for (const door of ['/admin/clients/:clientId', '/portal']) {
    await app.register(uploadRoutes, { prefix: `${door}/assets` })
    await app.register(folderRoutes, { prefix: `${door}/assets` })
    await app.register(trashRoutes, { prefix: `${door}/assets` })
    await app.register(downloadRoutes, { prefix: `${door}/assets` })
    await app.register(batchRoutes, { prefix: `${door}/assets` })
    await app.register(assetRoutes, { prefix: `${door}/assets` })
    await app.register(previewRoutes, { prefix: `${door}/assets` })
    await app.register(assetUseRoutes, { prefix: `${door}/assets` })
    await app.register(assetReviewRoutes, { prefix: `${door}/assets` })
    await app.register(assetCollectionRoutes, { prefix: `${door}/assets` })
    await app.register(assetSuggestionRoutes, { prefix: `${door}/assets` })
    await app.register(suggestionRoutes, { prefix: `${door}/suggestions` })
    await app.register(collectionRoutes, { prefix: `${door}/collections` })
    await app.register(duplicateRoutes, { prefix: `${door}/duplicates` })
    await app.register(reviewRoutes, { prefix: `${door}/reviews` })
    await app.register(eventRoutes, { prefix: `${door}/events` })
    await app.register(savedSearchRoutes, { prefix: `${door}/saved-searches` })
    await app.register(shareRoutes, { prefix: `${door}/share-links` })
    await app.register(uploadRequestRoutes, { prefix: `${door}/upload-requests` })
    await app.register(waitingRoomRoutes, { prefix: `${door}/waiting-room` })
    await app.register(activityRoutes, { prefix: `${door}/activity` })
    await app.register(clientAgentRoutes, { prefix: `${door}/agents` })
  }
  await app.register(referenceRoutes, { prefix: '/admin/clients/:clientId' })
  await app.register(mcpRoutes)
  if (parts.store.routes) await publicly(app, parts.store.routes(mayPut(parts, isAskedFor(parts))))
  letIdleConnectionsGo(app)
  await publicly(app, webApp)
  return app
}

const trustedHops = (trusted: Parts['config']['trustProxy']) =>
  typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted

// A connection that falls idle while the server closes would otherwise be waited for until it times out, and so would
// one on which nothing was ever asked: browsers open some in advance.
function letIdleConnectionsGo(app: App): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, 100)
    app.server.once('close', () => clearInterval(timer))
  })
}
