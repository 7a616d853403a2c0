import type { peer } from './delivery-peers.ts'
import { graphAnswers, letsInToGraph } from './graph-peer.ts'
import { type Post, type PostPeer, postPeer } from './post-peer.ts'

export const facebookPageOf = { pageId: '1020304050' }

/** A Facebook page: photos are uploaded unpublished and shown by a post; a reel has its number before its bytes. */
export async function facebookPagePeer(
  responseTo?: Parameters<typeof peer>[1],
): Promise<PostPeer & { altTexts: string[] }> {
  const { pageId } = facebookPageOf
  const photos = new Map<string, { bytes: Buffer; altText: string }>()
  const videos = new Map<string, { bytes?: Buffer; isPublished: boolean }>()
  const posts: (Post & { photos: string[] })[] = []
  const altTexts: string[] = []
  // Something has been posted before.
  const earlier = { id: `${pageId}_1`, text: 'Earlier', photos: ['1'] }
  let number = 100_000
  const newNumber = () => String(++number)

  const post = (id: string, text: string, files: Buffer[], shown: string[]) => {
    posts.push({ id, text, files, madeAt: new Date(), photos: shown })
  }
  const it = await postPeer(
    {
      steps: ['upload', 'publish'],
      stepOf: ({ method, path, body }) =>
        method !== 'POST'
          ? undefined
          : path.endsWith('/feed') || (path.endsWith('/video_reels') && body.includes('"finish"'))
            ? 'publish'
            : path.endsWith('/photos') || path.includes('/video-upload/')
              ? 'upload'
              : undefined,
      scopes: { upload: 'pages_manage_posts', publish: 'pages_manage_posts' },
      letsIn: letsInToGraph,
      answers: graphAnswers,
    },
    async ({ method, headers, body }, url) => {
      const at = url.pathname.replace('/v25.0', '')
      if (at === `/${pageId}` && method === 'GET') return { body: { id: pageId, name: 'Harbour Café' } }
      if (at === `/${pageId}/photos`) {
        const form = await new Response(Uint8Array.from(body), {
          headers: { 'content-type': headers['content-type']! },
        }).formData()
        if (form.get('published') !== 'false') return bad('published must be false here')
        const id = newNumber()
        const bytes = Buffer.from(await (form.get('source') as File).arrayBuffer())
        photos.set(id, { bytes, altText: String(form.get('alt_text_custom') ?? '') })
        return { body: { id } }
      }
      if (at.startsWith('/video-upload/')) {
        if (headers.file_size !== String(body.length) || headers.offset !== '0') return bad('Wrong size')
        videos.get(at.split('/').at(-1)!)!.bytes = body
        return { body: { success: true } }
      }
      const fields = method === 'POST' ? JSON.parse(body.toString()) : {}
      if (at === `/${pageId}/feed`) {
        const shown = fields.attached_media.map(({ media_fbid }: { media_fbid: string }) => media_fbid)
        if (shown.some((id: string) => !photos.has(id))) return bad('Invalid photo')
        altTexts.push(...shown.map((id: string) => photos.get(id)!.altText))
        const files = shown.map((id: string) => photos.get(id)!.bytes)
        post(`${pageId}_${newNumber()}`, fields.message, files, shown)
        return { body: { id: posts.at(-1)!.id } }
      }
      if (at === `/${pageId}/video_reels` && fields.upload_phase === 'start') {
        const video_id = newNumber()
        videos.set(video_id, { isPublished: false })
        return { body: { video_id, upload_url: `${it.url}/v25.0/video-upload/${video_id}` } }
      }
      if (at === `/${pageId}/video_reels`) {
        const video = videos.get(fields.video_id)
        if (!video?.bytes || video.isPublished || fields.video_state !== 'PUBLISHED')
          return bad('Invalid video')
        video.isPublished = true
        post(fields.video_id, fields.description, [video.bytes], [])
        return { body: { success: true } }
      }
      if (at === `/${pageId}/published_posts`)
        return {
          body: {
            data: [...posts.toReversed(), earlier].filter(({ photos }) => photos.length).map(shownPost),
          },
        }
      const video = videos.get(at.slice(1))
      if (video && url.searchParams.get('fields') === 'status')
        return {
          body: {
            status: {
              video_status: 'processing',
              publishing_phase: { status: video.isPublished ? 'complete' : 'not_started' },
            },
          },
        }
      const found = posts.find(({ id }) => at === `/${id}`)
      if (found) return { body: { id: found.id, permalink_url: `/reel/${found.id}/` } }
      return bad('Unsupported get request.')
    },
    responseTo,
  )
  const shownPost = ({ id, photos }: Pick<Post, 'id'> & { photos: string[] }) => ({
    id,
    permalink_url: `https://www.facebook.com/${id}`,
    attachments: {
      data: [
        photos.length > 1
          ? { subattachments: { data: photos.map((photo) => ({ target: { id: photo } })) } }
          : { target: { id: photos[0] } },
      ],
    },
  })
  return { ...it, posts, altTexts }
}

const bad = (message: string) => ({
  status: 400,
  body: { error: { message, type: 'GraphMethodException', code: 100, fbtrace_id: 'A6LJyl' } },
})
