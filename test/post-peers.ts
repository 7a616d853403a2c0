import type { ServerResponse } from 'node:http'
import { json, type Peer, peer, type Received } from './delivery-peers.ts'

/**
 * What goes wrong with the next request of a step. `before`: nothing was done; `after`: it was done, and nobody is told.
 * `passing` and `limit` are the vendor's own ways to say that it failed, or that it is too much.
 */
export type PostMishap =
  | 'cut before'
  | 'cut after'
  | 'hang before'
  | 'hang after'
  | 'passing'
  | 'limit'
  | 'refuse'
  | 'page'

/** A post that anybody can see. */
export interface Post {
  id: string
  text: string
  files: Buffer[]
  madeAt: Date
}

/** Every peer that publishes posts: the last step makes one visible, those before it do not. */
export interface PostPeer {
  peer: Peer
  url: string
  requests: Received[]
  posts: Post[]
  /** The steps in their order. */
  steps: readonly string[]
  suffers(step: string, ...mishaps: PostMishap[]): void
  /** How often a step was asked for. */
  asked(step: string): number
  /** The token is good for nothing any more. */
  expires(): void
  /** What the person who signed in did not agree to. */
  lacks(scope: string): void
}

interface Answer {
  body: unknown
  status?: number
  headers?: Record<string, string>
}

/** The parts of a peer that all vendors have in common. `isStep` names the step that a request is. */
export async function postPeer(
  vendor: {
    steps: readonly string[]
    stepOf(received: Received): string | undefined
    scopes: Record<string, string>
    /** Whether token, version and what else is in the headers are as they must be; answers itself if not. */
    letsIn(received: Received, response: ServerResponse, state: { expired: boolean }): boolean
    answers: Record<'passing' | 'limit' | 'refuse' | 'scope', (response: ServerResponse) => unknown>
  },
  work: (received: Received, url: URL) => Promise<Answer>,
  responseTo?: Parameters<typeof peer>[1],
) {
  const mishaps = new Map<string, PostMishap[]>()
  const asked = new Map<string, number>()
  const lacking = new Set<string>()
  const state = { expired: false }
  const it = await peer(async (received, response) => {
    if (!vendor.letsIn(received, response, state)) return
    const step = vendor.stepOf(received)
    if (step && lacking.has(vendor.scopes[step]!)) return vendor.answers.scope(response)
    if (step) asked.set(step, (asked.get(step) ?? 0) + 1)
    const mishap = step && mishaps.get(step)?.shift()
    if (mishap === 'cut before') return response.destroy()
    if (mishap === 'hang before') return
    if (mishap === 'page')
      return response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
    if (mishap === 'passing' || mishap === 'limit' || mishap === 'refuse')
      return vendor.answers[mishap](response)
    const { body, status = 200, headers = {} } = await work(received, new URL(received.path, 'http://vendor'))
    if (mishap === 'cut after') return response.destroy()
    if (mishap === 'hang after') return
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return json(response, body, status)
  }, responseTo)
  return {
    peer: it,
    url: it.url,
    requests: it.requests,
    steps: vendor.steps,
    suffers: (step: string, ...these: PostMishap[]) =>
      void mishaps.set(step, [...(mishaps.get(step) ?? []), ...these]),
    asked: (step: string) => asked.get(step) ?? 0,
    expires: () => {
      state.expired = true
    },
    lacks: (scope: string) => void lacking.add(scope),
  }
}

const graphVersion = 'v25.0'
export const graphError = (
  response: ServerResponse,
  code: number,
  message: string,
  { status = 400, ...more }: { status?: number; error_subcode?: number; is_transient?: boolean } = {},
) =>
  json(
    response,
    { error: { message, type: 'OAuthException', code, fbtrace_id: 'A6LJylpZRKw2xKLFsAP-cJh', ...more } },
    status,
  )

/** The Graph API asks for its version in the path and a token in the header. */
export function letsInToGraph(
  { path, headers }: Received,
  response: ServerResponse,
  { expired }: { expired: boolean },
): boolean {
  if (!path.startsWith(`/${graphVersion}/`)) {
    graphError(response, 2500, `Unknown path components: ${path}`)
    return false
  }
  if (expired || !/^(Bearer|OAuth) graph-token$/.test(headers.authorization ?? '')) {
    graphError(response, 190, 'Error validating access token: Session has expired on Sunday, 15-Nov-26.', {
      error_subcode: 463,
      status: 401,
    })
    return false
  }
  return true
}

export const graphAnswers = {
  passing: (response: ServerResponse) =>
    graphError(response, 2, 'An unexpected error has occurred. Please retry your request later.', {
      is_transient: true,
      status: 500,
    }),
  limit: (response: ServerResponse) => graphError(response, 4, '(#4) Application request limit reached'),
  refuse: (response: ServerResponse) =>
    graphError(response, 36003, 'The submitted image with aspect ratio is not valid.', {
      error_subcode: 2207009,
    }),
  scope: (response: ServerResponse) =>
    graphError(response, 10, '(#10) Application does not have permission for this action', { status: 403 }),
}

interface Container {
  id: string
  status: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'
  isItem: boolean
  caption: string
  files: Buffer[]
  altTexts: string[]
  /** Asked for once, it is at work still. */
  isSeen: boolean
}

export const instagramAccount = { userId: '17841400000000001' }

/** Instagram: it fetches from the addresses that it is given, and publishes a container once. */
export async function instagramPeer(
  responseTo?: Parameters<typeof peer>[1],
): Promise<PostPeer & { containers: Container[]; forgets(): void; altTexts(): string[] }> {
  const containers: Container[] = []
  const posts: Post[] = []
  const altTexts: string[] = []
  const { userId } = instagramAccount
  let number = 18_000_000_000_000_000n
  const newNumber = () => String(++number)

  async function contain(fields: Record<string, unknown>) {
    const children = (fields.children as string[] | undefined)?.map((id) =>
      containers.find((one) => one.id === id),
    )
    if (
      children &&
      (children.length < 2 || children.length > 10 || children.some((child) => child?.status !== 'FINISHED'))
    )
      return failed(400, 2207028, 'Your post won’t work as a carousel.')
    const url = (fields.image_url ?? fields.video_url) as string | undefined
    const container: Container = {
      id: newNumber(),
      status: 'IN_PROGRESS',
      isItem: fields.is_carousel_item === true,
      caption: String(fields.caption ?? ''),
      files: children?.flatMap((child) => child!.files) ?? [],
      altTexts: children?.flatMap((child) => child!.altTexts) ?? [String(fields.alt_text ?? '')],
      isSeen: false,
    }
    if (url) {
      const answer = await fetch(url)
      const type = answer.headers.get('content-type')
      if (answer.ok && type === (fields.image_url ? 'image/jpeg' : 'video/mp4'))
        container.files.push(Buffer.from(await answer.arrayBuffer()))
      else container.status = 'ERROR'
    }
    containers.push(container)
    return { body: { id: container.id } }
  }

  function statusOf(container: Container) {
    if (container.status === 'IN_PROGRESS' && container.isSeen) container.status = 'FINISHED'
    container.isSeen = true
    const { id, status } = container
    const why = status === 'ERROR' ? { status: 'Error: Media upload has failed with error code 2207052' } : {}
    return { body: { status_code: status, id, ...why } }
  }

  function publish(id: unknown) {
    const container = containers.find((one) => one.id === id)
    if (!container || container.isItem || container.status !== 'FINISHED')
      return failed(400, 2207027, 'Media ID is not available', 9007)
    container.status = 'PUBLISHED'
    const { caption: text, files } = container
    const post = { id: newNumber(), text, files, madeAt: new Date() }
    posts.push(post)
    altTexts.push(...container.altTexts)
    return { body: { id: post.id } }
  }

  const it = await postPeer(
    {
      steps: ['contain', 'publish'],
      stepOf: ({ method, path }) =>
        method === 'POST' ? (path.endsWith('/media_publish') ? 'publish' : 'contain') : undefined,
      scopes: { contain: 'instagram_content_publish', publish: 'instagram_content_publish' },
      letsIn: letsInToGraph,
      answers: graphAnswers,
    },
    async ({ method, body }, url) => {
      const at = url.pathname.replace(`/${graphVersion}`, '')
      const fields = method === 'POST' ? JSON.parse(body.toString()) : {}
      if (at === `/${userId}/content_publishing_limit`)
        return { body: { data: [{ quota_usage: posts.length }] } }
      if (at === `/${userId}/media` && method === 'POST') return contain(fields)
      if (at === `/${userId}/media_publish`) return publish(fields.creation_id)
      if (at === `/${userId}/media`)
        return {
          body: {
            data: posts
              .toReversed()
              .slice(0, Number(url.searchParams.get('limit')))
              .map(shown),
          },
        }
      const container = containers.find(({ id }) => at === `/${id}`)
      if (container) return statusOf(container)
      const post = posts.find(({ id }) => at === `/${id}`)
      if (post) return { body: shown(post) }
      return failed(400, 33, `Unsupported get request. Object with ID '${at}' does not exist`, 100)
    },
    responseTo,
  )
  return {
    ...it,
    posts,
    containers,
    altTexts: () => altTexts,
    /** A day passes: what was not published is good for nothing any more. */
    forgets: () => {
      for (const container of containers) if (container.status !== 'PUBLISHED') container.status = 'EXPIRED'
    },
  }
}

const failed = (status: number, error_subcode: number, message: string, code = 36000) => ({
  status,
  body: { error: { message, type: 'OAuthException', code, error_subcode, fbtrace_id: 'A6LJyl' } },
})

const shown = ({ id, text, madeAt }: Post) => ({
  id,
  ...(text && { caption: text }),
  permalink: `https://www.instagram.com/p/${id}/`,
  timestamp: madeAt.toISOString().replace(/\.\d+Z$/, '+0000'),
})

export const googlePlace = { accountId: '111', locationId: '222' }

/** Google's updates: taken first, the picture is fetched then, and seen a moment later. */
export async function googlePostsPeer(
  responseTo?: Parameters<typeof peer>[1],
): Promise<PostPeer & { rejects(): void }> {
  const { accountId, locationId } = googlePlace
  const place = `/v4/accounts/${accountId}/locations/${locationId}/localPosts`
  const taken: (Post & { state: 'PROCESSING' | 'LIVE' | 'REJECTED' })[] = []
  let rejects = false
  const error = (
    response: ServerResponse,
    code: number,
    status: string,
    message: string,
    details: object[] = [],
  ) => json(response, { error: { code, message, status, details } }, code)

  const it = await postPeer(
    {
      steps: ['post'],
      stepOf: ({ method }) => (method === 'POST' ? 'post' : undefined),
      scopes: { post: 'https://www.googleapis.com/auth/business.manage' },
      letsIn({ headers }, response, { expired }) {
        if (!expired && headers.authorization === 'Bearer google-token') return true
        error(response, 401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
        return false
      },
      answers: {
        passing: (response) => error(response, 500, 'INTERNAL', 'Internal error encountered.'),
        limit: (response) => error(response, 429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric.'),
        refuse: (response) =>
          error(response, 400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'),
        scope: (response) =>
          error(response, 403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
            },
          ]),
      },
    },
    async ({ method, body }, url) => {
      const one = taken.find(({ id }) => url.pathname === `/v4/${id}`)
      if (one && method === 'DELETE') {
        taken.splice(taken.indexOf(one), 1)
        return { body: {} }
      }
      if (one && one.state === 'PROCESSING') await fetchFor(one)
      if (one) return { body: shownPost(one) }
      if (url.pathname !== place) return { status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } }
      if (method === 'GET') {
        for (const each of taken) if (each.state === 'PROCESSING') await fetchFor(each)
        return { body: { localPosts: taken.toReversed().map(shownPost) } }
      }
      const { summary, topicType, media } = JSON.parse(body.toString())
      if (topicType !== 'STANDARD' || media.length !== 1 || !summary)
        return { status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } }
      const post = {
        id: `${place.slice(4)}/${taken.length + 1}`,
        text: summary,
        files: [],
        madeAt: new Date(),
        state: 'PROCESSING' as const,
      }
      sources.set(post.id, media[0].sourceUrl)
      taken.push(post)
      return { body: shownPost(post) }
    },
    responseTo,
  )
  const sources = new Map<string, string>()
  /** Whenever it is asked, it has gone on with its work. */
  async function fetchFor(post: (typeof taken)[number]) {
    const answer = await fetch(sources.get(post.id)!).catch(() => undefined)
    if (answer?.ok) post.files.push(Buffer.from(await answer.arrayBuffer()))
    post.state = answer?.ok && !rejects ? 'LIVE' : 'REJECTED'
  }
  const shownPost = ({ id, text, madeAt, state }: (typeof taken)[number]) => ({
    name: id,
    languageCode: 'en',
    summary: text,
    state,
    topicType: 'STANDARD',
    createTime: madeAt.toISOString(),
    searchUrl: `https://local.google.com/place?id=222&use=posts&lpsid=${id.split('/').at(-1)}`,
  })
  return {
    ...it,
    get posts() {
      return taken.filter(({ state }) => state !== 'REJECTED')
    },
    rejects: () => {
      rejects = true
    },
  }
}

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
