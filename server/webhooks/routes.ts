import {
  NewWebhook,
  Replay,
  Resend,
  RotateSecret,
  Webhook,
  WebhookAttempts,
  WebhookAttemptsQuery,
  WebhookChange,
  Webhooks,
  WebhookTest,
  WebhookWithSecret,
} from '../../contract/webhooks.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { callerOf, idempotencyKeyOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readAttempts,
  replay,
  resend,
  rotateSecret,
  testWebhook,
} from './webhooks.ts'

const params = Strict({ webhookId: PathId('webhook') })

export async function webhookRoutes(app: App) {
  const { parts } = app
  const { db } = parts
  const config = { permission: 'webhooks:write', refuses: ['not-found'] } as const

  app.get(
    '/admin/webhooks',
    {
      schema: { summary: 'List webhooks', response: { 200: Webhooks } },
      config: { permission: 'webhooks:write' },
    },
    async () => ({ webhooks: await listWebhooks(db) }),
  )
  app.post(
    '/admin/webhooks',
    {
      schema: { summary: 'Create a webhook', body: NewWebhook, response: { 201: WebhookWithSecret } },
      config: { ...config, refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createWebhook(parts, callerOf(request), request.body, idempotencyKeyOf(request))),
  )
  app.patch(
    '/admin/webhooks/:webhookId',
    {
      schema: { summary: 'Change a webhook', params, body: WebhookChange, response: { 200: Webhook } },
      config,
    },
    async (request) => changeWebhook(db, callerOf(request), request.params.webhookId, request.body),
  )
  app.delete(
    '/admin/webhooks/:webhookId',
    { schema: { summary: 'Delete a webhook', params }, config },
    async (request, reply) => {
      await deleteWebhook(db, callerOf(request), request.params.webhookId)
      return reply.code(204).send()
    },
  )
  app.post(
    '/admin/webhooks/:webhookId/test',
    {
      schema: { summary: 'Send a test to a webhook', params, response: { 200: WebhookTest } },
      config: { ...config, waitsElsewhere: true, refuses: ['not-found', 'secret-key-changed'] },
    },
    async (request) => testWebhook(parts, callerOf(request), request.params.webhookId),
  )
  app.post(
    '/admin/webhooks/:webhookId/replay',
    {
      schema: { summary: 'Replay events to a webhook', params, body: Replay, response: { 202: Webhook } },
      config: { ...config, refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(
          await replay(
            db,
            callerOf(request),
            request.params.webhookId,
            request.body,
            idempotencyKeyOf(request),
          ),
        ),
  )
  app.post(
    '/admin/webhooks/:webhookId/resend',
    {
      schema: { summary: 'Send one event again', params, body: Resend, response: { 200: WebhookTest } },
      config: { ...config, waitsElsewhere: true, refuses: ['not-found', 'secret-key-changed'] },
    },
    async (request) => resend(parts, callerOf(request), request.params.webhookId, request.body),
  )
  app.post(
    '/admin/webhooks/:webhookId/rotate-secret',
    {
      schema: {
        summary: 'Give a webhook a new secret',
        params,
        body: RotateSecret,
        response: { 200: WebhookWithSecret },
      },
      config: { ...config, refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request) =>
      rotateSecret(
        parts,
        callerOf(request),
        request.params.webhookId,
        request.body,
        idempotencyKeyOf(request),
      ),
  )
  app.get(
    '/admin/webhooks/:webhookId/attempts',
    {
      schema: {
        summary: 'What was sent to a webhook',
        params,
        querystring: WebhookAttemptsQuery,
        response: { 200: WebhookAttempts },
      },
      config,
    },
    async (request) => readAttempts(db, request.params.webhookId, request.query),
  )
}
