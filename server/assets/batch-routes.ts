import { Batch, BatchResult } from '../../contract/assets.ts'
import { BatchJob, BatchPage, BatchQuery, NewBatch } from '../../contract/batches.ts'
import { PathId } from '../../contract/words.ts'
import { allow, libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { runBatch } from './batch.ts'
import { cancelBatch, listBatches, permissionFor, readBatch, startBatch, undoBatch } from './batches.ts'

export async function batchRoutes(app: App) {
  const params = inLibrary(app)
  const ofBatch = inLibrary(app, { batchId: PathId('batch') })

  app.post(
    '/batch',
    {
      schema: {
        summary: 'Change many assets at once',
        params,
        body: Batch,
        response: { 200: BatchResult },
      },
      config: {
        permission: 'assets:write',
        refuses: ['not-found', 'in-use', 'idempotency-key-reused'],
        largeAnswer: true,
      },
      preHandler: async (request) => {
        allow(request, permissionFor(request.body as Batch))
      },
    },
    async (request) => runBatch(libraryOf(request), request.body),
  )
  app.post(
    '/batches',
    {
      schema: {
        summary: 'Change all that a search finds',
        description:
          'A job that can be followed, cancelled and undone. What the search finds now is what is meant.',
        params,
        body: NewBatch,
        response: { 202: BatchJob },
      },
      config: {
        permission: 'assets:write',
        refuses: ['not-found', 'idempotency-key-reused', 'ai-unavailable'],
      },
      preHandler: async (request) => allow(request, permissionFor(request.body as NewBatch)),
    },
    async (request, reply) => reply.code(202).send(await startBatch(libraryOf(request), request.body)),
  )
  app.get(
    '/batches',
    {
      schema: {
        summary: 'List your batches',
        params,
        querystring: BatchQuery,
        response: { 200: BatchPage },
      },
      config: { permission: 'assets:write' },
    },
    async (request) => listBatches(libraryOf(request), request.query),
  )
  app.get(
    '/batches/:batchId',
    {
      schema: { summary: 'Read how far a batch has come', params: ofBatch, response: { 200: BatchJob } },
      config: { permission: 'assets:write', refuses: ['not-found'] },
    },
    async (request) => readBatch(libraryOf(request), request.params.batchId),
  )
  app.post(
    '/batches/:batchId/cancel',
    {
      schema: { summary: 'Cancel a batch', params: ofBatch, response: { 200: BatchJob } },
      config: { permission: 'assets:write', refuses: ['not-found'] },
    },
    async (request) => cancelBatch(libraryOf(request), request.params.batchId),
  )
  app.post(
    '/batches/:batchId/undo',
    {
      schema: {
        summary: 'Take back what a batch has changed',
        description: 'As a batch of its own. What somebody has changed since stays as it is, and is named.',
        params: ofBatch,
        response: { 202: BatchJob },
      },
      config: {
        permission: 'assets:write',
        refuses: ['not-found', 'batch-running', 'idempotency-key-reused'],
      },
    },
    async (request, reply) =>
      reply.code(202).send(await undoBatch(libraryOf(request), request.params.batchId)),
  )
}
