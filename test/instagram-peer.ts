import type { peer } from './delivery-peers.ts'
import { graphAnswers, graphVersion, letsInToGraph } from './graph-peer.ts'
import { type Post, type PostPeer, postPeer } from './post-peer.ts'

interface Container {
  id: string
  status: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'
  isItem: boolean
  caption: string
  isLabelled: boolean
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
      isLabelled: fields.is_ai_generated === true,
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
