import type { ServerResponse } from 'node:http'
import { json, type peer } from './delivery-peers.ts'
import { type Answer, type Post, type PostPeer, postPeer } from './post-peer.ts'

export const linkedinPage = { ownerUrn: 'urn:li:organization:5' }

/** LinkedIn: uploads are named first and filled then; a post names them. */
export async function linkedinPostsPeer(
  responseTo?: Parameters<typeof peer>[1],
): Promise<PostPeer & { altTexts(): string[] }> {
  const uploads = new Map<string, { bytes?: Buffer; isSeen: boolean }>()
  // Something has been posted before.
  const posts: (Post & { content: Record<string, unknown> })[] = []
  const earlier = { id: 'urn:li:share:7', content: { media: { id: 'urn:li:image:earlier' } } }
  const altTexts: string[] = []
  const error = (response: ServerResponse, status: number, code: string, message: string) =>
    json(response, { status, code, message, serviceErrorCode: 100 }, status)

  const it = await postPeer(
    {
      steps: ['begin', 'put', 'post'],
      stepOf: ({ method, path }) =>
        method === 'PUT'
          ? 'put'
          : method === 'POST' && path.includes('initializeUpload')
            ? 'begin'
            : method === 'POST' && path === '/rest/posts'
              ? 'post'
              : undefined,
      scopes: { begin: 'w_organization_social', put: '', post: 'w_organization_social' },
      letsIn({ path, headers }, response, { expired }) {
        if (expired || headers.authorization !== 'Bearer linkedin-token')
          error(response, 401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired')
        else if (path.startsWith('/rest/') && headers['linkedin-version'] !== '202607')
          error(
            response,
            426,
            'NONEXISTENT_VERSION',
            `Requested version ${headers['linkedin-version']} is not active`,
          )
        else if (path.startsWith('/rest/') && headers['x-restli-protocol-version'] !== '2.0.0')
          error(response, 400, 'ILLEGAL_ARGUMENT', 'X-Restli-Protocol-Version is needed')
        else return true
        return false
      },
      answers: {
        passing: (response) => error(response, 500, 'SERVER_ERROR', 'Internal Server Error'),
        limit: (response) =>
          error(response, 429, 'TOO_MANY_REQUESTS', 'Resource level throttle limit reached'),
        refuse: (response) => error(response, 422, 'MISSING_FIELD', 'Field Value validation failed'),
        scope: (response) =>
          error(response, 401, 'ACCESS_DENIED', 'Not enough permissions to access: posts.CREATE'),
      },
    },
    async ({ method, body }, url): Promise<Answer> => {
      const at = decodeURIComponent(url.pathname)
      if (at === '/v2/userinfo') return { body: { sub: 'x' } }
      if (method === 'POST' && url.searchParams.get('action') === 'initializeUpload') {
        const kind = at === '/rest/videos' ? 'video' : 'image'
        const urn = `urn:li:${kind}:${uploads.size + 1}`
        uploads.set(urn, { isSeen: false })
        const to = `${it.url}/upload/${urn}`
        const expires = Date.now() + 3600_000
        const size = JSON.parse(body.toString()).initializeUploadRequest.fileSizeBytes
        return {
          body: {
            value:
              kind === 'image'
                ? { image: urn, uploadUrl: to, uploadUrlExpiresAt: expires }
                : {
                    video: urn,
                    uploadUrlsExpireAt: expires,
                    uploadToken: '',
                    uploadInstructions: [{ uploadUrl: to, firstByte: 0, lastByte: size - 1 }],
                  },
          },
        }
      }
      if (method === 'PUT') {
        uploads.get(at.replace('/upload/', ''))!.bytes = body
        return { body: {}, status: 201, headers: { etag: '"part-1"' } }
      }
      if (url.searchParams.get('action') === 'finalizeUpload') return { body: {} }
      const upload = uploads.get(at.split('/').at(-1)!)
      if (upload) {
        const status = upload.bytes ? (upload.isSeen ? 'AVAILABLE' : 'PROCESSING') : 'WAITING_UPLOAD'
        upload.isSeen = upload.bytes !== undefined
        return { body: { status } }
      }
      if (at !== '/rest/posts') return { status: 404, body: { status: 404, code: 'NOT_FOUND' } }
      if (method === 'GET')
        return {
          body: { elements: [...posts.toReversed(), earlier].map(({ id, content }) => ({ id, content })) },
        }
      const { commentary, content, author, visibility } = JSON.parse(body.toString())
      const images: { id: string; altText?: string }[] = content.multiImage?.images ?? [content.media]
      const bytes = images.map(({ id }) => uploads.get(id)?.bytes)
      const isBad =
        author !== linkedinPage.ownerUrn ||
        visibility !== 'PUBLIC' ||
        bytes.some((one) => !one) ||
        (content.multiImage && images.length < 2)
      if (isBad) return { status: 422, body: { status: 422, code: 'INVALID', message: 'Invalid post' } }
      const post = {
        id: `urn:li:share:71300000000000000${posts.length + 10}`,
        text: plainText(commentary),
        files: bytes as Buffer[],
        madeAt: new Date(),
        content,
      }
      altTexts.push(...images.map(({ altText = '' }) => altText))
      posts.push(post)
      return { body: '', status: 201, headers: { 'x-restli-id': post.id } }
    },
    responseTo,
  )
  return { ...it, posts, altTexts: () => altTexts }
}

/** As LinkedIn shows it: it stops at what has a meaning there and is not marked as plain. */
function plainText(little: string): string {
  const bare = little.replace(/\\[\\|{}@[\]()<>#*_~]|(?<!\S)#[\p{L}\p{N}]+/gu, '')
  const end = /[\\|{}@[\]()<>#*_~]/.test(bare) ? little.search(/[|{}@[\]()<>*_~]/) : little.length
  return little.slice(0, end).replace(/\\(.)/g, '$1')
}
