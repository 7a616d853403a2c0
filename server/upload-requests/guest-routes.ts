import { Type } from 'typebox'
import {
  GuestFile,
  GuestFileProgress,
  GuestFileReceived,
  NewGuestFile,
  OpenedRequest,
} from '../../contract/upload-requests.ts'
import { PartsRequest, PartUrls, UploadSession } from '../../contract/uploads.ts'
import { Strict } from '../../contract/words.ts'
import { refuseOtherSites } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { guestPage } from '../http/guest-pages.ts'
import { cancelFile, fileProgress, openedRequest, receiveFile, sendFile, signParts } from './guest.ts'
import { findRequest, requestFor } from './request.ts'

const params = Strict({ requestToken: Type.String({ maxLength: 5000 }) })
const refuses = ['not-found', 'cross-site'] as const

/** What people without an account send files by. They are told nothing of what is there. */
export async function guestUploadRoutes(app: App) {
  const page = await guestPage(app.parts, 'upload')
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
    refuseOtherSites(request)
  })

  app.get(
    '/u/:requestToken',
    { schema: { params, hide: true }, config: { permission: 'public' } },
    async (request, reply) => {
      const found = await findRequest(app.parts, request.params.requestToken)
      return page(reply, found && { title: found.request.title, description: found.request.note })
    },
  )
  app.get(
    '/u/:requestToken/request',
    {
      schema: { summary: 'Read an upload request', params, response: { 200: OpenedRequest } },
      config: { permission: 'public', refuses: ['not-found'] },
    },
    async (request, reply) => openedRequest(await requestFor(request, reply, request.params.requestToken)),
  )
  app.post(
    '/u/:requestToken/files',
    {
      schema: {
        summary: 'Send a file to an upload request',
        params,
        body: NewGuestFile,
        response: { 201: UploadSession },
      },
      config: {
        permission: 'public',
        refuses: [
          ...refuses,
          'request-full',
          'too-large',
          'storage-not-configured',
          'idempotency-key-reused',
        ],
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await sendFile(await requestFor(request, reply, request.params.requestToken), request.body)),
  )
  app.post(
    '/u/:requestToken/files/progress',
    {
      schema: {
        summary: 'Read how much of a guest’s file has arrived',
        params,
        body: GuestFile,
        response: { 200: GuestFileProgress },
      },
      config: {
        permission: 'public',
        waitsElsewhere: true,
        refuses: [...refuses, 'upload-not-found', 'storage-unavailable'],
      },
    },
    async (request, reply) =>
      fileProgress(await requestFor(request, reply, request.params.requestToken), request.body),
  )
  app.post(
    '/u/:requestToken/files/parts',
    {
      schema: {
        summary: 'Sign the URLs of parts for a guest',
        params,
        body: PartsRequest,
        response: { 200: PartUrls },
      },
      config: {
        permission: 'public',
        refuses: [
          ...refuses,
          'upload-not-found',
          'upload-expired',
          'upload-finalized',
          'storage-not-configured',
          'storage-unavailable',
        ],
      },
    },
    async (request, reply) =>
      signParts(await requestFor(request, reply, request.params.requestToken), request.body),
  )
  app.post(
    '/u/:requestToken/files/cancel',
    {
      schema: { summary: 'Take back a file that has not arrived', params, body: GuestFile },
      config: {
        permission: 'public',
        waitsElsewhere: true,
        refuses: [...refuses, 'upload-not-found', 'upload-finalized', 'storage-unavailable'],
      },
    },
    async (request, reply) => {
      await cancelFile(await requestFor(request, reply, request.params.requestToken), request.body)
      return reply.code(204).send()
    },
  )
  app.post(
    '/u/:requestToken/files/done',
    {
      schema: {
        summary: 'Say that a guest’s file has been sent',
        params,
        body: GuestFile,
        response: { 200: GuestFileReceived },
      },
      config: {
        permission: 'public',
        waitsElsewhere: true,
        refuses: [
          ...refuses,
          'upload-not-found',
          'upload-expired',
          'file-not-uploaded',
          'finalize-in-progress',
          'too-large',
          'unsupported-type',
          'type-mismatch',
          'size-mismatch',
          'checksum-mismatch',
          'unreadable-media',
          'too-many-pixels',
          'no-pictures',
          'encrypted-media',
          'infected',
          'storage-not-configured',
          'storage-unavailable',
          'media-busy',
        ],
      },
    },
    async (request, reply) => {
      await receiveFile(await requestFor(request, reply, request.params.requestToken), request.body)
      return { status: 'waiting' as const }
    },
  )
}
