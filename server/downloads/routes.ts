import { Download, NewDownload } from '../../contract/downloads.ts'
import { FolderDownload } from '../../contract/folders.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import { endWithRights } from '../access/still-allowed.ts'
import type { App } from '../http/app.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { inLibrary } from '../http/paths.ts'
import { folderArchive } from './folder-archive.ts'
import { createDownload, selectionArchive } from './selection-archive.ts'

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
  app.post(
    '/download',
    {
      schema: {
        summary: 'Ask for a selection or a search as a zip',
        description:
          'What it holds is settled now: however often its line breaks, the zip goes on as it began.',
        params,
        body: NewDownload,
        response: { 201: Download },
      },
      config: {
        permission: 'assets:read',
        refuses: ['not-found', 'too-large', 'idempotency-key-reused', 'ai-unavailable'],
      },
    },
    async (request, reply) => {
      const download = await createDownload(libraryOf(request), request.body)
      const here = `${app.parts.config.publicUrl}${request.url}`
      const url = new URL(`downloads/${download.downloadId}`, here).href
      return reply
        .code(201)

        .send({ ...download, url })
    },
  )
  app.get(
    '/downloads/:downloadId',
    {
      schema: {
        summary: 'Download what was asked for as a zip',
        params: inLibrary(app, { downloadId: PathId('download') }),
        produces: ['application/zip'],
      },
      config: {
        permission: 'assets:read',
        waitsElsewhere: true,
        refuses: [...fileRefusals, 'changed-meanwhile'],
      },
    },
    async (request, reply) => {
      endWithRights(request, reply)
      return sendFile(request, reply, await selectionArchive(libraryOf(request), request.params.downloadId))
    },
  )
}
