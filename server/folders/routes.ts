import {
  Folder,
  FolderChange,
  FolderCountQuery,
  FolderCounts,
  FolderDeleted,
  FolderDeletion,
  FolderDownload,
  FolderQuery,
  FolderRestore,
  FolderTree,
  NewFolder,
} from '../../contract/folders.ts'
import { libraryOf } from '../access/door.ts'
import { endWithRights } from '../access/still-allowed.ts'
import type { App } from '../http/app.ts'
import { sendFile } from '../http/file-answers.ts'
import { inLibrary } from '../http/paths.ts'
import { countFolders } from './counts.ts'
import { folderArchive } from './download.ts'
import { changeFolder, createFolder } from './folders.ts'
import { folderTree } from './pages.ts'
import { restoreFolder, trashFolder } from './trash.ts'

export async function folderRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/folders',
    {
      schema: { params, querystring: FolderQuery, response: { 200: FolderTree } },
      config: { permission: 'assets:read' },
    },
    async (request) => folderTree(libraryOf(request), request.query),
  )
  app.get(
    '/folders/counts',
    {
      schema: { params, querystring: FolderCountQuery, response: { 200: FolderCounts } },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => countFolders(libraryOf(request), request.query),
  )
  app.post(
    '/folders',
    {
      schema: { params, body: NewFolder, response: { 201: Folder } },
      config: {
        permission: 'folders:write',
        refuses: [
          'not-found',
          'folder-name-taken',
          'folder-too-deep',
          'folder-protected',
          'too-many-folders',
          'idempotency-key-reused',
        ],
      },
    },
    async (request, reply) => {
      const { folder, etag } = await createFolder(libraryOf(request), request.body)
      return reply.code(201).header('etag', etag).send(folder)
    },
  )
  app.patch(
    '/folders',
    {
      schema: { params, body: FolderChange, response: { 200: Folder } },
      config: {
        permission: 'folders:write',
        refuses: [
          'not-found',
          'folder-name-taken',
          'folder-cycle',
          'folder-too-deep',
          'folder-protected',
          'changed-meanwhile',
        ],
      },
    },
    async (request, reply) => {
      const { folder, etag } = await changeFolder(
        libraryOf(request),
        request.body,
        request.headers['if-match'],
      )
      return reply.header('etag', etag).send(folder)
    },
  )
  app.delete(
    '/folders',
    {
      schema: { params, body: FolderDeletion, response: { 200: FolderDeleted } },
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
      schema: { params, body: FolderRestore, response: { 200: Folder } },
      config: {
        permission: 'folders:write',
        refuses: ['not-found', 'folder-protected', 'idempotency-key-reused'],
      },
    },
    async (request) => restoreFolder(libraryOf(request), request.body.folderId),
  )
  app.get(
    '/folders/download',
    {
      schema: { params, querystring: FolderDownload, produces: ['application/zip'] },
      config: {
        permission: 'assets:read',
        refuses: ['not-found', 'range-not-satisfiable', 'storage-unavailable'],
      },
    },
    async (request, reply) => {
      endWithRights(request, reply)
      return sendFile(request, reply, await folderArchive(libraryOf(request), request.query.folderId))
    },
  )
}
