import type { FastifyReply } from 'fastify'
import { Asset, VersionNumber } from '../../contract/assets.ts'
import { Folder, FolderDeleted, FolderDeletion, FolderRestore } from '../../contract/folders.ts'
import { AssetDeletion, LegalHold, TrashContents, TrashEmptied, TrashQuery } from '../../contract/trash.ts'
import { PathId } from '../../contract/words.ts'
import { allow, libraryOf } from '../access/door.ts'
import { type AssetRow, assetETag, toAsset } from '../assets/asset.ts'
import { trashAsset } from '../assets/assets.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { deleteVersion } from './delete-version.ts'
import { restoreFolder, trashFolder } from './folder-trash.ts'
import { setHold } from './hold.ts'
import { deleteForGood, emptyTrash, trashContents } from './purge.ts'

export async function trashRoutes(app: App) {
  const params = inLibrary(app)
  const ofAsset = inLibrary(app, { assetId: PathId('asset') })

  app.delete(
    '/folders',
    {
      schema: {
        summary: 'Move a folder to the trash',
        params,
        body: FolderDeletion,
        response: { 200: FolderDeleted },
      },
      config: {
        permission: 'folders:write',
        refuses: ['not-found', 'folder-protected', 'in-use', 'changed-meanwhile'],
      },
    },
    async (request) => trashFolder(libraryOf(request), request.body, request.headers['if-match']),
  )
  app.post(
    '/folders/restore',
    {
      schema: {
        summary: 'Restore a folder from the trash',
        params,
        body: FolderRestore,
        response: { 200: Folder },
      },
      config: {
        permission: 'folders:write',
        refuses: ['not-found', 'folder-protected', 'idempotency-key-reused'],
      },
    },
    async (request, reply) => {
      const { folder, etag } = await restoreFolder(libraryOf(request), request.body.folderId)
      return reply.header('etag', etag).send(folder)
    },
  )
  app.get(
    '/trash',
    {
      schema: {
        summary: 'Sum up what emptying the trash would remove',
        params,
        querystring: TrashQuery,
        response: { 200: TrashContents },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => trashContents(libraryOf(request), request.query.folderId),
  )
  app.delete(
    '/:assetId',
    {
      schema: {
        summary: 'Move an asset to the trash, or delete it for good',
        description: 'Answers with the asset as it is in the trash, or as it was when it went.',
        params: ofAsset,
        querystring: AssetDeletion,
        response: { 200: Asset },
      },
      config: {
        permission: 'assets:delete',
        refuses: ['not-found', 'in-use', 'not-trashed', 'legal-hold', 'changed-meanwhile'],
      },
    },
    async (request, reply) => {
      const { assetId } = request.params
      const ifMatch = request.headers['if-match']
      if (!request.query.permanently)
        return sendAsset(reply, await trashAsset(libraryOf(request), assetId, ifMatch))
      allow(request, 'assets:purge')
      return sendAsset(reply, await deleteForGood(libraryOf(request), assetId, ifMatch))
    },
  )
}

/** What no client user may do stands behind the agency's door alone. */
export async function purgeRoutes(app: App) {
  const params = inLibrary(app)
  const ofAsset = inLibrary(app, { assetId: PathId('asset') })

  app.delete(
    '/trash',
    {
      schema: {
        summary: 'Empty the trash for good',
        description:
          'What a legal hold or a scheduled or running use holds stays, and a folder with it. The bytes are free at once.',
        params,
        querystring: TrashQuery,
        response: { 200: TrashEmptied },
      },
      config: { permission: 'assets:purge', refuses: ['not-found'] },
    },
    async (request) => emptyTrash(libraryOf(request), request.query.folderId),
  )
  app.delete(
    '/:assetId/versions/:version',
    {
      schema: {
        summary: 'Delete an old version of an asset for good',
        params: inLibrary(app, { assetId: PathId('asset'), version: VersionNumber }),
      },
      config: {
        permission: 'assets:purge',
        refuses: ['not-found', 'current-version', 'in-use', 'legal-hold'],
      },
    },
    async (request, reply) => {
      const { assetId, version } = request.params
      await deleteVersion(libraryOf(request), assetId, version)
      return reply.code(204).send()
    },
  )
  app.put(
    '/:assetId/hold',
    {
      schema: {
        summary: 'Put an asset under a legal hold, or lift it',
        params: ofAsset,
        body: LegalHold,
        response: { 200: Asset },
      },
      config: { permission: 'assets:hold', refuses: ['not-found'] },
    },
    async (request, reply) =>
      sendAsset(reply, await setHold(libraryOf(request), request.params.assetId, request.body)),
  )
}

const sendAsset = (reply: FastifyReply, row: AssetRow) =>
  reply.header('etag', assetETag(row)).send(toAsset(row))
