import {
  NewShareLink,
  ShareLink,
  ShareLinkPage,
  ShareLinkQuery,
  ShareLinkWithUrl,
} from '../../contract/shares.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { createShareLink, listShareLinks, revokeShareLink } from './share-links.ts'

export async function shareRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'List share links',
        params,
        querystring: ShareLinkQuery,
        response: { 200: ShareLinkPage },
      },
      config: { permission: 'shares:write' },
    },
    async (request) => listShareLinks(libraryOf(request), request.query),
  )
  app.post(
    '/',
    {
      schema: {
        summary: 'Create a share link',
        params,
        body: NewShareLink,
        response: { 201: ShareLinkWithUrl },
      },
      config: {
        permission: 'shares:write',
        refuses: ['not-found', 'weak-password', 'idempotency-key-reused'],
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createShareLink(libraryOf(request), app.parts.config.publicUrl, request.body)),
  )
  app.delete(
    '/:shareLinkId',
    {
      schema: {
        summary: 'Revoke a share link',
        params: inLibrary(app, { shareLinkId: PathId('share') }),
        response: { 200: ShareLink },
      },
      config: { permission: 'shares:write', refuses: ['not-found'] },
    },
    async (request) => revokeShareLink(libraryOf(request), request.params.shareLinkId),
  )
}
