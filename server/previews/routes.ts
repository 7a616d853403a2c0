import { Type } from 'typebox'
import {
  Asset,
  Fits,
  PreviewQuery,
  ProxyProgress,
  RenditionQuery,
  SimilarAssets,
} from '../../contract/assets.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import { endWithRights } from '../access/still-allowed.ts'
import { assetETag, assetRow, toAsset } from '../assets/asset.ts'
import { noteLooks } from '../assets/looks.ts'
import type { App } from '../http/app.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { inLibrary } from '../http/paths.ts'
import { assetFits } from './fits.ts'
import { retryMedia } from './make-media.ts'
import { previewFile, storyboardFile } from './preview.ts'
import { askForProxy, proxyFile, proxyProgress } from './proxies.ts'
import { renditionFile } from './renditions.ts'
import { similarAssets } from './similar.ts'

const picture = [
  ...fileRefusals,
  'unreadable-media',
  'too-many-pixels',
  'no-pictures',
  'encrypted-media',
  'media-busy',
] as const

export async function previewRoutes(app: App) {
  const params = inLibrary(app, { assetId: PathId('asset') })

  app.get(
    '/:assetId/preview',
    {
      schema: {
        summary: 'Preview of an asset',
        params,
        querystring: PreviewQuery,
        produces: ['image/webp', 'image/avif', 'image/jpeg'],
      },
      config: { permission: 'assets:read', takesPickers: true, waitsElsewhere: true, refuses: picture },
    },
    async (request, reply) => {
      reply.header('vary', 'accept')
      const library = libraryOf(request)
      const { assetId } = request.params
      const preview = await previewFile(library, assetId, request.query, request.headers.accept)
      await noteLooks(library, [assetId])
      return sendFile(request, reply, preview)
    },
  )
  app.get(
    '/:assetId/storyboard',
    {
      schema: { summary: 'Storyboard of a video', params, produces: ['image/webp'] },
      config: { permission: 'assets:read', waitsElsewhere: true, refuses: picture },
    },
    async (request, reply) =>
      sendFile(request, reply, await storyboardFile(libraryOf(request), request.params.assetId)),
  )
  app.get(
    '/:assetId/proxy',
    {
      schema: {
        summary: 'Copy of a film that every browser plays',
        params,
        querystring: Strict({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })) }),
        produces: ['video/mp4'],
      },
      config: {
        permission: 'assets:read',
        waitsElsewhere: true,
        refuses: [...fileRefusals, 'media-busy'],
      },
    },
    async (request, reply) => {
      endWithRights(request, reply)
      const { assetId } = request.params
      return sendFile(request, reply, await proxyFile(libraryOf(request), assetId, request.query.version))
    },
  )
  app.get(
    '/:assetId/proxy/progress',
    {
      schema: { summary: 'How far the playable copy of a film is', params, response: { 200: ProxyProgress } },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => proxyProgress(libraryOf(request), request.params.assetId),
  )
  app.post(
    '/:assetId/proxy',
    {
      schema: { summary: 'Have a playable copy of a film made', params, response: { 202: Asset } },
      config: { permission: 'assets:write', refuses: ['not-found'] },
    },
    async (request, reply) => {
      const library = libraryOf(request)
      await askForProxy(library, request.params.assetId)
      const row = await assetRow(library.db, library, request.params.assetId)
      return reply.code(202).header('etag', assetETag(row)).send(toAsset(row))
    },
  )
  app.get(
    '/:assetId/rendition',
    {
      schema: {
        summary: 'Rendition of an asset for a target',
        params,
        querystring: RenditionQuery,
        produces: ['image/*', 'video/mp4'],
      },
      config: { permission: 'assets:read', waitsElsewhere: true, refuses: [...picture, 'target-refuses'] },
    },
    async (request, reply) =>
      sendFile(
        request,
        reply,
        await renditionFile(libraryOf(request), request.params.assetId, request.query),
      ),
  )
  app.get(
    '/:assetId/similar',
    {
      schema: { summary: 'List similar assets', params, response: { 200: SimilarAssets } },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => similarAssets(libraryOf(request), request.params.assetId),
  )
  app.get(
    '/:assetId/fit',
    {
      schema: { summary: 'Which targets take an asset', params, response: { 200: Fits } },
      config: {
        permission: 'assets:read',
        waitsElsewhere: true,
        refuses: ['not-found', 'storage-unavailable', 'media-busy'],
      },
    },
    async (request) => assetFits(libraryOf(request), request.params.assetId),
  )
  app.post(
    '/:assetId/media/retry',
    {
      schema: { summary: 'Make the previews of an asset again', params, response: { 202: Asset } },
      config: { permission: 'assets:write', refuses: ['not-found', 'checksum-mismatch'] },
    },
    async (request, reply) => {
      const library = libraryOf(request)
      await retryMedia(library, request.params.assetId)
      const row = await assetRow(library.db, library, request.params.assetId)
      return reply.code(202).header('etag', assetETag(row)).send(toAsset(row))
    },
  )
}
