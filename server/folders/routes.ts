import { Folder, FolderChange, FolderQuery, FolderTree, NewFolder } from '../../contract/folders.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { isAtHand, NotModified, sendNotModified } from '../http/not-modified.ts'
import { inLibrary } from '../http/paths.ts'
import { changeFolder, createFolder } from './folders.ts'
import { folderTree, treeTag } from './pages.ts'

export async function folderRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/folders',
    {
      schema: {
        summary: 'List folders',
        params,
        querystring: FolderQuery,
        response: { 200: FolderTree, 304: NotModified },
      },
      config: { permission: 'assets:read', takesPickers: true },
    },
    async (request, reply) => {
      const library = libraryOf(request)
      if (isAtHand(request, reply, treeTag(library, request.recognised!)))
        return sendNotModified(request, reply)
      return folderTree(library, request.query)
    },
  )
  app.post(
    '/folders',
    {
      schema: { summary: 'Create a folder', params, body: NewFolder, response: { 201: Folder } },
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
      schema: { summary: 'Rename or move a folder', params, body: FolderChange, response: { 200: Folder } },
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
}
