import {
  Finalize,
  FinalizedAsset,
  NamesQuestion,
  NewUploadSession,
  PartsRequest,
  PartUrls,
  TakenNames,
  UploadLimits,
  UploadProgress,
  UploadSession,
} from '../../contract/uploads.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import { asProblem } from '../http/answers.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { finalizeSession } from './finalize.ts'
import { uploadLimits } from './limits.ts'
import { abortSession, openSession, partUrls, sessionProgress } from './sessions.ts'
import { takenNames } from './taken-names.ts'

const ofSession = (app: App) => inLibrary(app, { uploadSessionId: PathId('upload') })

export async function uploadRoutes(app: App) {
  const { metrics } = app.parts
  const counted = <T>(step: string, work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      metrics.uploadsRefused.inc({ step, code: asProblem(error).code })
      throw error
    })

  app.get(
    '/upload-limits',
    {
      schema: {
        summary: 'Read what may be uploaded',
        params: inLibrary(app),
        response: { 200: UploadLimits },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => uploadLimits(libraryOf(request), app.parts.config),
  )
  app.post(
    '/upload-session/taken-names',
    {
      schema: {
        summary: 'Find names that are taken',
        params: inLibrary(app),
        body: NamesQuestion,
        response: { 200: TakenNames },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => takenNames(libraryOf(request), request.body),
  )
  app.post(
    '/upload-session',
    {
      schema: {
        summary: 'Open an upload session',
        params: inLibrary(app),
        body: NewUploadSession,
        response: { 201: UploadSession },
      },
      config: {
        permission: 'assets:write',
        refuses: [
          'not-found',
          'too-large',
          'quota-exceeded',
          'storage-not-configured',
          'idempotency-key-reused',
        ],
      },
    },
    async (request, reply) => {
      const session = await counted('session', openSession(libraryOf(request), request.body))
      metrics.uploadSessions.inc()
      return reply.code(201).send(session)
    },
  )
  app.get(
    '/upload-session/:uploadSessionId',
    {
      schema: {
        summary: 'Read the progress of an upload',
        params: ofSession(app),
        response: { 200: UploadProgress },
      },
      config: {
        permission: 'assets:write',
        waitsElsewhere: true,
        refuses: ['upload-not-found', 'storage-unavailable'],
      },
    },
    async (request) => sessionProgress(libraryOf(request), request.params.uploadSessionId),
  )
  app.delete(
    '/upload-session/:uploadSessionId',
    {
      schema: { summary: 'Abort an upload', params: ofSession(app) },
      config: {
        permission: 'assets:write',
        waitsElsewhere: true,
        refuses: ['upload-not-found', 'upload-finalized', 'storage-unavailable'],
      },
    },
    async (request, reply) => {
      await abortSession(libraryOf(request), request.params.uploadSessionId)
      return reply.code(204).send()
    },
  )
  app.post(
    '/upload-session/parts',
    {
      schema: {
        summary: 'Sign the URLs of parts',
        params: inLibrary(app),
        body: PartsRequest,
        response: { 200: PartUrls },
      },
      config: {
        permission: 'assets:write',
        refuses: [
          'upload-not-found',
          'upload-expired',
          'upload-finalized',
          'storage-not-configured',
          'storage-unavailable',
        ],
      },
    },
    async (request) => partUrls(libraryOf(request), request.body),
  )
  app.post(
    '/upload-session/finalize',
    {
      schema: {
        summary: 'Finalize an upload',
        params: inLibrary(app),
        body: Finalize,
        response: { 200: FinalizedAsset, 201: FinalizedAsset },
      },
      config: {
        permission: 'assets:write',
        waitsElsewhere: true,
        refuses: [
          'not-found',
          'upload-not-found',
          'file-not-uploaded',
          'finalize-in-progress',
          'quota-exceeded',
          'upload-expired',
          'too-large',
          'unsupported-type',
          'provenance-contradicted',
          'type-mismatch',
          'size-mismatch',
          'checksum-mismatch',
          'unreadable-media',
          'too-many-pixels',
          'no-pictures',
          'encrypted-media',
          'infected',
          'scanner-unavailable',
          'storage-not-configured',
          'storage-unavailable',
          'media-busy',
        ],
      },
    },
    async (request, reply) => {
      const { asset, etag, made } = await counted(
        'finalize',
        finalizeSession(libraryOf(request), request.body),
      )
      if (made) {
        metrics.uploadsFinalized.inc()
        metrics.uploadBytes.inc(asset.sizeBytes)
      }
      return reply
        .code(made ? 201 : 200)
        .header('etag', etag)
        .send(asset)
    },
  )
}
