import { FolderDownload } from '../../contract/folders.ts'
import { libraryOf } from '../access/door.ts'
import { endWithRights } from '../access/still-allowed.ts'
import type { App } from '../http/app.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { inLibrary } from '../http/paths.ts'
import { folderArchive } from './folder-archive.ts'

export async function downloadRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/folders/download',
    {
      schema: {
        summary: 'Download a folder as a zip',
        params,
        querystring: FolderDownload,
        produces: ['application/zip'],
      },
      config: {
        permission: 'assets:read',
        waitsElsewhere: true,
        refuses: fileRefusals,
      },
    },
    async (request, reply) => {
      endWithRights(request, reply)
      return sendFile(request, reply, await folderArchive(libraryOf(request), request.query.folderId))
    },
  )
}
