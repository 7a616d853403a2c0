import { type Static, Type } from 'typebox'
import { allPreviewSizes } from '../../contract/media-types.ts'
import {
  GuestComment,
  GuestDecision,
  GuestReview,
  NewGuestComment,
  OpenShare,
  Share,
  SharedAssetPage,
  SharedAssetQuery,
} from '../../contract/shares.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { refuseOtherSites } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { guestPage } from '../http/guest-pages.ts'
import { sharedArchive } from './archive.ts'
import { sharedAssets } from './contents.ts'
import { sharedDownload, sharedFilm, sharedPreview } from './files.ts'
import { guestComments, guestDecides, guestReview } from './guest-review.ts'
import { preview } from './link-preview.ts'
import { endWithLink, openShare, shareFor } from './share.ts'

const token = { shareToken: Type.String({ maxLength: 5000 }) }
const ofShare = Strict(token)
const ofAsset = Strict({ ...token, assetId: PathId('asset') })
const NoQuery = Strict({})
const PreviewSize = Strict({ size: Type.Optional(Type.Enum(allPreviewSizes)) })

const refuses = ['not-found', 'password-needed'] as const
const madeFile = [
  ...refuses,
  ...fileRefusals,
  'unreadable-media',
  'too-many-pixels',
  'no-pictures',
  'encrypted-media',
  'media-busy',
] as const

/** What people without an account reach by a share link. The address alone authorises, so it is found in no index. */
export async function guestShareRoutes(app: App) {
  const page = await guestPage(app.parts, 'share')
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
  })

  app.get(
    '/s/:shareToken',
    { schema: { params: ofShare, hide: true }, config: { permission: 'public' } },
    async (request, reply) => page(reply, await preview(app.parts, request.params.shareToken)),
  )
  app.post(
    '/s/:shareToken/open',
    {
      schema: { summary: 'Open a share link', params: ofShare, body: OpenShare, response: { 200: Share } },
      config: {
        permission: 'public',
        refuses: [...refuses, 'wrong-password', 'too-many-attempts', 'cross-site'],
      },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      return openShare(request, reply, request.params.shareToken, request.body)
    },
  )
  app.get(
    '/s/:shareToken/assets',
    {
      schema: {
        summary: 'List what is shared',
        params: ofShare,
        querystring: SharedAssetQuery,
        response: { 200: SharedAssetPage },
      },
      config: { permission: 'public', refuses },
    },
    async (request, reply) =>
      sharedAssets(await shareFor(request, reply, request.params.shareToken), request.query),
  )
  app.get(
    '/s/:shareToken/assets/:assetId/preview',
    {
      schema: {
        summary: 'Preview of a shared asset',
        params: ofAsset,
        querystring: PreviewSize,
        produces: ['image/webp', 'image/avif', 'image/jpeg'],
      },
      config: { permission: 'public', waitsElsewhere: true, refuses: madeFile },
    },
    async (request, reply) => {
      const share = await shareFor(request, reply, request.params.shareToken)
      const { size = 'card' } = request.query as Static<typeof PreviewSize>
      reply.header('vary', 'accept')
      const file = await sharedPreview(share, request.params.assetId, size, request.headers.accept)
      return sendFile(request, reply, file)
    },
  )
  for (const [path, summary, fileOf] of [
    ['film', 'Play a shared film', sharedFilm],
    ['download', 'Download a shared asset', sharedDownload],
  ] as const)
    app.get(
      `/s/:shareToken/assets/:assetId/${path}`,
      {
        schema: { summary, params: ofAsset, querystring: NoQuery, produces: ['image/*', 'video/mp4'] },
        config: { permission: 'public', waitsElsewhere: true, refuses: [...madeFile, 'target-refuses'] },
      },
      async (request, reply) => {
        const { shareToken, assetId } = request.params as Static<typeof ofAsset>
        const share = await shareFor(request, reply, shareToken)
        endWithLink(request, reply, shareToken, share)
        return sendFile(request, reply, await fileOf(share, assetId))
      },
    )
  const reviews = [...refuses, 'changed-meanwhile', 'cross-site'] as const
  app.get(
    '/s/:shareToken/assets/:assetId/review',
    {
      schema: {
        summary: 'Read how a shared asset stands',
        params: ofAsset,
        querystring: NoQuery,
        response: { 200: GuestReview },
      },
      config: { permission: 'public', refuses },
    },
    async (request, reply) => {
      const { shareToken, assetId } = request.params
      return guestReview(await shareFor(request, reply, shareToken), assetId)
    },
  )
  app.put(
    '/s/:shareToken/assets/:assetId/approval',
    {
      schema: {
        summary: 'Approve a shared asset, or ask for changes',
        params: ofAsset,
        body: GuestDecision,
        response: { 200: GuestReview },
      },
      config: { permission: 'public', refuses: reviews },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      const { shareToken, assetId } = request.params
      return guestDecides(await shareFor(request, reply, shareToken), assetId, request.body)
    },
  )
  app.post(
    '/s/:shareToken/assets/:assetId/comments',
    {
      schema: {
        summary: 'Comment on a shared asset',
        params: ofAsset,
        body: NewGuestComment,
        response: { 201: GuestComment },
      },
      config: { permission: 'public', refuses: [...reviews, 'idempotency-key-reused'] },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      const { shareToken, assetId } = request.params
      const share = await shareFor(request, reply, shareToken)
      return reply.code(201).send(await guestComments(share, assetId, request.body))
    },
  )
  app.get(
    '/s/:shareToken/download',
    {
      schema: {
        summary: 'Download all that is shared',
        params: ofShare,
        querystring: NoQuery,
        produces: ['application/zip'],
      },
      config: { permission: 'public', waitsElsewhere: true, refuses: [...madeFile, 'too-large'] },
    },
    async (request, reply) => {
      const { shareToken } = request.params
      const share = await shareFor(request, reply, shareToken)
      endWithLink(request, reply, shareToken, share)
      return sendFile(request, reply, await sharedArchive(share))
    },
  )
}
