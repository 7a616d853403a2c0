import type { ServerResponse } from 'node:http'
import { json, type peer } from './delivery-peers.ts'
import { type Post, type PostPeer, postPeer } from './post-peer.ts'

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
