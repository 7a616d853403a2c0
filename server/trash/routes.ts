import { Folder, FolderDeleted, FolderDeletion, FolderRestore } from '../../contract/folders.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { restoreFolder, trashFolder } from './folder-trash.ts'

export async function trashRoutes(app: App) {
  const params = inLibrary(app)

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
}
