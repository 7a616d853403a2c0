import {
  Deliveries,
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  NewDelivery,
  NewPullGrant,
  PullGrant,
  PullGrantPage,
  PullGrantQuery,
  PullGrantWithUrl,
  Redelivery,
  Settlement,
} from '../../contract/deliveries.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { isOpen } from '../ledger/ledger.ts'
import {
  cancelDelivery,
  confirmReplacement,
  createDelivery,
  listDeliveries,
  readDelivery,
  redeliver,
  retryDelivery,
  settleDelivery,
  undoReplacement,
} from './deliveries.ts'
import { createPullGrant, listPullGrants, revokePullGrant } from './pull-grants.ts'

const refused = [
  'not-found',
  'refs-not-allowed',
  'target-refuses',
  'idempotency-key-reused',
  'storage-unavailable',
  'media-busy',
] as const

export async function deliveryRoutes(app: App) {
  const { parts } = app
  const params = inLibrary(app)
  const ofDelivery = inLibrary(app, { deliveryId: PathId('delivery') })
  const config = {
    permission: 'deliveries:write',
    refuses: ['delivery-state', 'idempotency-key-reused'],
  } as const

  app.get(
    '/',
    {
      schema: {
        summary: 'List deliveries',
        params,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
      config: { permission: 'deliveries:read' },
    },
    async (request) => listDeliveries(libraryOf(request), request.query),
  )
  app.post(
    '/',
    {
      schema: {
        summary: 'Deliver an asset',
        params,
        body: NewDelivery,
        response: { 200: Delivery, 202: Delivery },
      },
      config: { permission: 'deliveries:write', refuses: [...refused, 'connection-error'] },
    },
    async (request, reply) => {
      const delivery = await createDelivery(libraryOf(request), request.body)
      return reply.code(isOpen(delivery) ? 202 : 200).send(delivery)
    },
  )
  app.post(
    '/redeliver',
    {
      schema: {
        summary: 'Deliver the current version everywhere again',
        params,
        body: Redelivery,
        response: { 202: Deliveries },
      },
      config: { permission: 'deliveries:write', refuses: ['not-found'] },
    },
    async (request, reply) => reply.code(202).send(await redeliver(libraryOf(request), request.body)),
  )
  app.get(
    '/:deliveryId',
    {
      schema: { summary: 'Read a delivery', params: ofDelivery, response: { 200: Delivery } },
      config: { permission: 'deliveries:read' },
    },
    async (request) => readDelivery(libraryOf(request), request.params.deliveryId),
  )
  app.post(
    '/:deliveryId/retry',
    { schema: { summary: 'Retry a delivery', params: ofDelivery, response: { 202: Delivery } }, config },
    async (request, reply) =>
      reply.code(202).send(await retryDelivery(libraryOf(request), request.params.deliveryId)),
  )
  app.post(
    '/:deliveryId/cancel',
    { schema: { summary: 'Cancel a delivery', params: ofDelivery, response: { 200: Delivery } }, config },
    async (request) => cancelDelivery(libraryOf(request), request.params.deliveryId),
  )
  app.post(
    '/:deliveryId/settle',
    {
      schema: {
        summary: 'Settle a delivery by hand',
        params: ofDelivery,
        body: Settlement,
        response: { 200: Delivery },
      },
      config: { ...config, permission: 'deliveries:settle' },
    },
    async (request) => settleDelivery(libraryOf(request), request.params.deliveryId, request.body),
  )
  for (const [path, summary, decision] of [
    ['/:deliveryId/confirm', 'Confirm a replacement', confirmReplacement],
    ['/:deliveryId/undo', 'Undo a replacement', undoReplacement],
  ] as const)
    app.post(
      path,
      {
        schema: { summary, params: ofDelivery, response: { 200: Delivery } },
        config: {
          ...config,
          refuses: ['delivery-state', 'cannot-remove', 'target-failed', 'secret-key-changed'],
        },
      },
      async (request) => decision(libraryOf(request), parts, request.params.deliveryId),
    )
}

export async function pullGrantRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'List pull grants',
        params,
        querystring: PullGrantQuery,
        response: { 200: PullGrantPage },
      },
      config: { permission: 'deliveries:read' },
    },
    async (request) => listPullGrants(libraryOf(request), request.query),
  )
  app.post(
    '/',
    {
      schema: {
        summary: 'Create a pull grant',
        params,
        body: NewPullGrant,
        response: { 201: PullGrantWithUrl },
      },
      config: { permission: 'deliveries:write', refuses: refused },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createPullGrant(libraryOf(request), app.parts.config.publicUrl, request.body)),
  )
  app.delete(
    '/:pullGrantId',
    {
      schema: {
        summary: 'Revoke a pull grant',
        params: inLibrary(app, { pullGrantId: PathId('grant') }),
        response: { 200: PullGrant },
      },
      config: { permission: 'deliveries:write' },
    },
    async (request) => revokePullGrant(libraryOf(request), request.params.pullGrantId),
  )
}
