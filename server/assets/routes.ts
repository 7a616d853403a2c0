import type { FastifyReply } from 'fastify'
import { WordChanges, WordResults, WordsPage, WordsQuery } from '../../contract/asset-words.ts'
import {
  Asset,
  AssetChange,
  AssetCursors,
  AssetIds,
  AssetPage,
  AssetRecord,
  AssetSummary,
  AssetVersions,
  ContentQuery,
  TagList,
  TagQuery,
  Uploaders,
  VersionNumber,
} from '../../contract/assets.ts'
import { SummaryRequest } from '../../contract/batches.ts'
import { FolderCountQuery, FolderCounts } from '../../contract/folders.ts'
import { AssetCursorQuery, AssetIdQuery, AssetQuery } from '../../contract/search.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import { endWithRights } from '../access/still-allowed.ts'
import type { App } from '../http/app.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { isAtHand, NotModified, sendNotModified } from '../http/not-modified.ts'
import { inLibrary } from '../http/paths.ts'
import { type AssetRow, assetETag, toAsset } from './asset.ts'
import { editAsset, restoreAsset } from './assets.ts'
import { originalFile } from './content.ts'
import { countFolders, countTag } from './folder-counts.ts'
import { listAssets } from './listing.ts'
import { noteLooks } from './looks.ts'
import { assetRecord } from './picture-text.ts'
import { listCursors, listIds } from './positions.ts'
import { summarize } from './summary.ts'
import { listTags } from './tags.ts'
import { listUploaders } from './uploaders.ts'
import { listVersions, restoreVersion } from './versions.ts'
import { editWords, listWords } from './words.ts'

const ofAsset = (app: App) => inLibrary(app, { assetId: PathId('asset') })

export async function assetRoutes(app: App) {
  app.get(
    '/folders/counts',
    {
      schema: {
        summary: 'Count the assets of folders',
        params: inLibrary(app),
        querystring: FolderCountQuery,
        response: { 200: FolderCounts, 304: NotModified },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request, reply) => {
      const library = libraryOf(request)
      if (isAtHand(request, reply, countTag(library, request))) return sendNotModified(request, reply)
      return countFolders(library, request.query)
    },
  )
  app.get(
    '/',
    {
      schema: {
        summary: 'List assets and folders',
        params: inLibrary(app),
        querystring: AssetQuery,
        response: { 200: AssetPage },
      },
      config: { permission: 'assets:read', takesPickers: true, refuses: ['not-found'] },
    },
    async (request) => listAssets(libraryOf(request), request.query),
  )
  app.get(
    '/cursors',
    {
      schema: {
        summary: 'List where the next pages begin',
        params: inLibrary(app),
        querystring: AssetCursorQuery,
        response: { 200: AssetCursors },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => listCursors(libraryOf(request), request.query),
  )
  app.get(
    '/ids',
    {
      schema: {
        summary: 'List the ids of assets',
        params: inLibrary(app),
        querystring: AssetIdQuery,
        response: { 200: AssetIds },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => listIds(libraryOf(request), request.query),
  )
  app.get(
    '/tags',
    {
      schema: {
        summary: 'List tags',
        description: 'To be offered while one is typed.',
        params: inLibrary(app),
        querystring: TagQuery,
        response: { 200: TagList },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => listTags(libraryOf(request), request.query),
  )
  app.get(
    '/words',
    {
      schema: {
        summary: 'List what is written of assets',
        params: inLibrary(app),
        querystring: WordsQuery,
        response: { 200: WordsPage },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => listWords(libraryOf(request), request.query),
  )
  app.patch(
    '/words',
    {
      schema: {
        summary: 'Change what is written of many assets',
        params: inLibrary(app),
        body: WordChanges,
        response: { 200: WordResults },
      },
      config: {
        permission: 'assets:write',
        refuses: ['idempotency-key-reused'],
        largeAnswer: true,
      },
    },
    async (request) => editWords(libraryOf(request), request.body),
  )
  app.get(
    '/uploaders',
    {
      schema: {
        summary: 'List who uploaded assets',
        params: inLibrary(app),
        response: { 200: Uploaders },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => listUploaders(libraryOf(request)),
  )
  app.post(
    '/summary',
    {
      schema: {
        summary: 'Sum up tags and surfaces of assets',
        params: inLibrary(app),
        body: SummaryRequest,
        response: { 200: AssetSummary },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => summarize(libraryOf(request), request.body),
  )
  app.get(
    '/:assetId',
    {
      schema: { summary: 'Read an asset', params: ofAsset(app), response: { 200: AssetRecord } },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request, reply) => {
      const library = libraryOf(request)
      const { record, etag } = await assetRecord(library, request.params.assetId)
      await noteLooks(library, [request.params.assetId])
      return reply.header('etag', etag).send(record)
    },
  )
  app.patch(
    '/:assetId',
    {
      schema: {
        summary: 'Change an asset',
        params: ofAsset(app),
        body: AssetChange,
        response: { 200: Asset },
      },
      config: {
        permission: 'assets:write',
        refuses: ['not-found', 'changed-meanwhile', 'provenance-contradicted'],
      },
    },
    async (request, reply) => {
      const row = await editAsset(
        libraryOf(request),
        request.params.assetId,
        request.body,
        request.headers['if-match'],
      )
      return sendAsset(reply, row)
    },
  )
  app.post(
    '/:assetId/restore',
    {
      schema: { summary: 'Restore an asset from the trash', params: ofAsset(app), response: { 200: Asset } },
      config: { permission: 'assets:delete', refuses: ['not-found'] },
    },
    async (request, reply) =>
      sendAsset(reply, await restoreAsset(libraryOf(request), request.params.assetId)),
  )
  app.get(
    '/:assetId/versions',
    {
      schema: {
        summary: 'List the versions of an asset',
        params: ofAsset(app),
        response: { 200: AssetVersions },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => listVersions(libraryOf(request), request.params.assetId),
  )
  app.post(
    '/:assetId/versions/:version/restore',
    {
      schema: {
        summary: 'Restore a version of an asset',
        params: inLibrary(app, { assetId: PathId('asset'), version: VersionNumber }),
        response: { 200: Asset },
      },
      config: { permission: 'assets:write', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) => {
      const { assetId, version } = request.params
      const { asset, etag } = await restoreVersion(libraryOf(request), assetId, version)
      return reply.header('etag', etag).send(asset)
    },
  )
  app.get(
    '/:assetId/content',
    {
      schema: {
        summary: 'Download the original of an asset',
        params: ofAsset(app),
        querystring: ContentQuery,
        produces: ['image/*', 'video/mp4'],
      },
      config: {
        permission: 'assets:read',
        waitsElsewhere: true,
        refuses: fileRefusals,
      },
    },
    async (request, reply) => {
      endWithRights(request, reply)
      const library = libraryOf(request)
      const original = await originalFile(library, request.params.assetId, request.query)
      await noteLooks(library, [request.params.assetId])
      return sendFile(request, reply, original)
    },
  )
}

const sendAsset = (reply: FastifyReply, row: AssetRow) =>
  reply.header('etag', assetETag(row)).send(toAsset(row))
