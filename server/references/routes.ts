import { PickQuery, Picks } from '../../contract/picks.ts'
import {
  ExternalId,
  Plan,
  PlanRequest,
  RefSwap,
  RefsSwapped,
  Resolve,
  Resolved,
  Use,
  UseInput,
  UseKind,
  UsePage,
  UseQuery,
} from '../../contract/references.ts'
import { Page, PathId, Strict } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { plan, resolve } from './answers.ts'
import { pickAssets } from './pick.ts'
import { swapRef } from './swap.ts'
import { listUses, readUse, recordUse } from './uses.ts'

export async function referenceRoutes(app: App) {
  const params = inLibrary(app)
  const ofUse = inLibrary(app, { kind: UseKind, externalId: ExternalId })

  app.post(
    '/asset-refs/resolve',
    {
      schema: { summary: 'Resolve asset references', params, body: Resolve, response: { 200: Resolved } },
      config: { permission: 'assets:read', refuses: ['storage-unavailable', 'media-busy'] },
    },
    async (request) => resolve(libraryOf(request), request.body),
  )
  app.post(
    '/asset-refs/plan',
    {
      schema: {
        summary: 'Plan several assets as one post',
        params,
        body: PlanRequest,
        response: { 200: Plan },
      },
      config: { permission: 'assets:read', refuses: ['storage-unavailable', 'media-busy'] },
    },
    async (request) => plan(libraryOf(request), request.body),
  )
  app.post(
    '/asset-refs/replace',
    {
      schema: {
        summary: 'Replace a reference in all its uses',
        params,
        body: RefSwap,
        response: { 200: RefsSwapped },
      },
      config: {
        permission: 'references:write',
        refuses: ['not-found', 'refs-not-allowed', 'idempotency-key-reused'],
      },
    },
    async (request) => swapRef(libraryOf(request), request.body),
  )
  app.get(
    '/uses',
    {
      schema: { summary: 'List recorded uses', params, querystring: UseQuery, response: { 200: UsePage } },
      config: { permission: 'assets:read' },
    },
    async (request) => listUses(libraryOf(request), request.query),
  )
  app.get(
    '/uses/:kind/:externalId',
    {
      schema: { summary: 'Read a use', params: ofUse, response: { 200: Use } },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => readUse(libraryOf(request), request.params.kind, request.params.externalId),
  )
  app.put(
    '/uses/:kind/:externalId',
    {
      schema: { summary: 'Record a use', params: ofUse, body: UseInput, response: { 200: Use, 201: Use } },
      config: { permission: 'references:write', refuses: ['refs-not-allowed'] },
    },
    async (request, reply) => {
      const { kind, externalId } = request.params
      const { use, made } = await recordUse(libraryOf(request), kind, externalId, request.body)
      return reply.code(made ? 201 : 200).send(use)
    },
  )
}

/** What is best for a purpose, and where an asset is used: at both doors. */
export async function assetUseRoutes(app: App) {
  app.get(
    '/pick',
    {
      schema: {
        summary: 'Pick the best assets for a purpose',
        description:
          'Only what may be used there now, ranked by words, shape, least recently used, approval, resolution and rights; each with why. Of more than 1,000 that have all the words, or some, the newest are looked at.',
        params: inLibrary(app),
        querystring: PickQuery,
        response: { 200: Picks },
      },
      config: { permission: 'assets:read', refuses: ['storage-unavailable', 'media-busy'] },
    },
    async (request) => {
      const { limit = 10, ...wish } = request.query
      return { picks: await pickAssets(libraryOf(request), { ...wish, limit }) }
    },
  )
  app.get(
    '/:assetId/uses',
    {
      schema: {
        summary: 'List the uses of an asset',
        params: inLibrary(app, { assetId: PathId('asset') }),
        querystring: Strict(Page),
        response: { 200: UsePage },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => listUses(libraryOf(request), request.query, request.params.assetId),
  )
}
