import {
  Acceptance,
  Decided,
  Declining,
  NewUploadRequest,
  UploadRequest,
  UploadRequestPage,
  UploadRequestQuery,
  UploadRequestWithUrl,
  WaitingRoom,
  WaitingRoomQuery,
} from '../../contract/upload-requests.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { inLibrary } from '../http/paths.ts'
import { createUploadRequest, listUploadRequests, revokeUploadRequest } from './upload-requests.ts'
import { acceptFiles, declineFiles, waitingFilm, waitingPreview, waitingRoom } from './waiting-room.ts'

export async function uploadRequestRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'List upload requests',
        params,
        querystring: UploadRequestQuery,
        response: { 200: UploadRequestPage },
      },
      config: { permission: 'shares:write' },
    },
    async (request) => listUploadRequests(libraryOf(request), request.query),
  )
  app.post(
    '/',
    {
      schema: {
        summary: 'Create an upload request',
        params,
        body: NewUploadRequest,
        response: { 201: UploadRequestWithUrl },
      },
      config: { permission: 'shares:write', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createUploadRequest(libraryOf(request), app.parts.config.publicUrl, request.body)),
  )
  app.delete(
    '/:uploadRequestId',
    {
      schema: {
        summary: 'Revoke an upload request',
        params: inLibrary(app, { uploadRequestId: PathId('request') }),
        response: { 200: UploadRequest },
      },
      config: { permission: 'shares:write', refuses: ['not-found'] },
    },
    async (request) => revokeUploadRequest(libraryOf(request), request.params.uploadRequestId),
  )
}

export async function waitingRoomRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'List what guests have sent',
        params,
        querystring: WaitingRoomQuery,
        response: { 200: WaitingRoom },
      },
      config: { permission: 'shares:write' },
    },
    async (request) => waitingRoom(libraryOf(request), request.query),
  )
  app.get(
    '/:uploadSessionId/preview',
    {
      schema: {
        summary: 'Preview of a file that waits',
        params: inLibrary(app, { uploadSessionId: PathId('upload') }),
        produces: ['image/webp'],
      },
      config: { permission: 'shares:write', waitsElsewhere: true, refuses: fileRefusals },
    },
    async (request, reply) =>
      sendFile(request, reply, await waitingPreview(libraryOf(request), request.params.uploadSessionId)),
  )
  app.get(
    '/:uploadSessionId/film',
    {
      schema: {
        summary: 'Play a film that waits',
        params: inLibrary(app, { uploadSessionId: PathId('upload') }),
        produces: ['video/*'],
      },
      config: { permission: 'shares:write', waitsElsewhere: true, refuses: fileRefusals },
    },
    async (request, reply) =>
      sendFile(request, reply, await waitingFilm(libraryOf(request), request.params.uploadSessionId)),
  )
  app.post(
    '/accept',
    {
      schema: {
        summary: 'Accept what guests have sent',
        params,
        body: Acceptance,
        response: { 200: Decided },
      },
      config: { permission: 'shares:write', waitsElsewhere: true, refuses: ['not-found'] },
    },
    async (request) => acceptFiles(libraryOf(request), request.body),
  )
  app.post(
    '/decline',
    {
      schema: {
        summary: 'Decline what guests have sent',
        params,
        body: Declining,
        response: { 200: Decided },
      },
      config: { permission: 'shares:write', waitsElsewhere: true },
    },
    async (request) => declineFiles(libraryOf(request), request.body),
  )
}
