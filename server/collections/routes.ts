import {
  CollectedAssets,
  Collection,
  CollectionChange,
  CollectionPage,
  CollectionQuery,
  Collections,
  NewCollection,
  TakenOut,
} from '../../contract/collections.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { collectAssets, reorderCollection, takeOutAssets } from './collected.ts'
import {
  collectionsOf,
  createCollection,
  deleteCollection,
  listCollections,
  readCollection,
  renameCollection,
  restoreCollection,
} from './collections.ts'

export async function collectionRoutes(app: App) {
  const params = inLibrary(app)
  const ofCollection = inLibrary(app, { collectionId: PathId('collection') })

  app.get(
    '/',
    {
      schema: {
        summary: 'List collections',
        params,
        querystring: CollectionQuery,
        response: { 200: CollectionPage },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => listCollections(libraryOf(request), request.query),
  )
  app.post(
    '/',
    {
      schema: {
        summary: 'Create a collection',
        params,
        body: NewCollection,
        response: { 201: Collection },
      },
      config: {
        permission: 'assets:write',
        refuses: ['not-found', 'collection-name-taken', 'too-many-collections', 'idempotency-key-reused'],
      },
    },
    async (request, reply) => reply.code(201).send(await createCollection(libraryOf(request), request.body)),
  )
  app.get(
    '/:collectionId',
    {
      schema: {
        summary: 'Read a collection',
        description: 'Its assets are listed by `GET …/assets?collectionId=`, in the order of the collection.',
        params: ofCollection,
        response: { 200: Collection },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => readCollection(libraryOf(request), request.params.collectionId),
  )
  app.patch(
    '/:collectionId',
    {
      schema: {
        summary: 'Rename a collection',
        params: ofCollection,
        body: CollectionChange,
        response: { 200: Collection },
      },
      config: { permission: 'assets:write', refuses: ['not-found', 'collection-name-taken'] },
    },
    async (request) => renameCollection(libraryOf(request), request.params.collectionId, request.body),
  )
  app.delete(
    '/:collectionId',
    {
      schema: {
        summary: 'Delete a collection',
        description:
          'Its assets stay where they are. Links that share it lead nowhere. For a day it can be restored.',
        params: ofCollection,
        response: { 200: Collection },
      },
      config: { permission: 'assets:write', refuses: ['not-found'] },
    },
    async (request) => deleteCollection(libraryOf(request), request.params.collectionId),
  )
  app.post(
    '/:collectionId/restore',
    {
      schema: {
        summary: 'Restore a collection',
        description: 'Within a day of its deletion, with its order and the links that share it.',
        params: ofCollection,
        response: { 200: Collection },
      },
      config: {
        permission: 'assets:write',
        refuses: ['not-found', 'collection-name-taken', 'too-many-collections'],
      },
    },
    async (request) => restoreCollection(libraryOf(request), request.params.collectionId),
  )
  app.post(
    '/:collectionId/assets',
    {
      schema: {
        summary: 'Put assets into a collection',
        description: 'What stands in it already keeps its place.',
        params: ofCollection,
        body: CollectedAssets,
        response: { 200: Collection },
      },
      config: { permission: 'assets:write', refuses: ['not-found', 'collection-full'] },
    },
    async (request) => collectAssets(libraryOf(request), request.params.collectionId, request.body),
  )
  app.patch(
    '/:collectionId/assets',
    {
      schema: {
        summary: 'Reorder a collection',
        params: ofCollection,
        body: CollectedAssets,
        response: { 200: Collection },
      },
      config: { permission: 'assets:write', refuses: ['not-found'] },
    },
    async (request) => reorderCollection(libraryOf(request), request.params.collectionId, request.body),
  )
  app.delete(
    '/:collectionId/assets',
    {
      schema: {
        summary: 'Take assets out of a collection',
        params: ofCollection,
        body: TakenOut,
        response: { 200: Collection },
      },
      config: { permission: 'assets:write', refuses: ['not-found'] },
    },
    async (request) => takeOutAssets(libraryOf(request), request.params.collectionId, request.body),
  )
}

export async function assetCollectionRoutes(app: App) {
  app.get(
    '/:assetId/collections',
    {
      schema: {
        summary: 'List the collections of an asset',
        params: inLibrary(app, { assetId: PathId('asset') }),
        response: { 200: Collections },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => collectionsOf(libraryOf(request), request.params.assetId),
  )
}
