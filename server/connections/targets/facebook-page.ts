import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { isFilm } from '../../../contract/media-types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { read } from './answers.ts'
import type { Credentials } from './credentials.ts'
import { type Graph, GraphId, graphApi, understood } from './graph.ts'
import { multipart } from './multipart.ts'
import { path } from './path.ts'
import {
  type DeliveryTarget,
  type Files,
  type Line,
  type Parcel,
  type Payload,
  Unreadable,
} from './target.ts'

/**
 * A Facebook page. Pictures are uploaded unpublished, where nobody sees them, and a post then shows them; a film is
 * uploaded under a number that Facebook gives before, and published as a reel under it. By these numbers both are found
 * again (developers.facebook.com/docs/graph-api/reference/page/photos, …/page/feed and …/video-api/guides/reels-publishing,
 * read on 2026-11-15).
 */
export function facebookPage(
  outbound: Outbound,
  { pageId, baseUrl }: ConnectionSettings<'facebook-page'>,
  credentials: Credentials,
): DeliveryTarget {
  const graph = graphApi('facebook', outbound, credentials, baseUrl)

  return {
    settleSeconds: 30,

    async check() {
      await graph.get(Type.Object({ id: GraphId }), `${path`/${pageId}`}?fields=id,name`)
    },

    async look({ steps }) {
      const begun = begunIn(steps)
      if (!begun.isPosting) return 'not-there'
      return begun.video ? lookForReel(graph, begun.video) : lookForPost(graph, pageId, begun.photos)
    },

    send: (parcel, files, line) =>
      isFilm(files[0].mimeType)
        ? publishReel(graph, outbound, credentials, pageId, parcel, files[0], line)
        : publishPhotos(graph, pageId, parcel, files, line),

    async describe({ remoteId, remoteUrl }) {
      const shown = await graph
        .get(Type.Object({ permalink_url: Type.String() }), `${path`/${remoteId}`}?fields=permalink_url`)
        .catch(() => undefined)
      return { remoteId, remoteUrl: shown ? new URL(shown.permalink_url, site).href : remoteUrl }
    },
  }
}

/** The number of a post of a page, or of a film. */
export const facebookIds = ({ pageId }: ConnectionSettings<'facebook-page'>) =>
  new RegExp(`^(${pageId}_)?[0-9]{1,40}$`)

const site = 'https://www.facebook.com'

async function publishPhotos(
  graph: Graph,
  pageId: string,
  { text, steps, mark }: Parcel,
  files: Files,
  line: Line,
) {
  const { photos, since = new Date().toISOString() } = begunIn(steps)
  for (const file of files.slice(photos.length)) {
    const { id } = await graph.upload(
      Type.Object({ id: GraphId }),
      path`/${pageId}/photos`,
      photoOf(file, mark),
      line,
    )
    photos.push(id)
    await line.remember({ since, photos })
  }
  await line.remember({ since, photos, isPosting: true })
  const { id } = await graph.post(Type.Object({ id: PostId }), path`/${pageId}/feed`, {
    message: text,
    attached_media: photos.map((media_fbid) => ({ media_fbid })),
  })
  return { remoteId: id, remoteUrl: null }
}

const photoOf = (file: Payload, mark: string) =>
  multipart(
    `photo-${mark}`,
    { published: 'false', ...(file.altText && { alt_text_custom: file.altText }) },
    { name: 'source', filename: `photo.${file.mimeType.split('/')[1]}`, content: file },
  )

/** A post that shows one of the photos is ours: they were uploaded for it alone. */
async function lookForPost(graph: Graph, pageId: string, photos: string[]) {
  const fields = 'id,permalink_url,attachments{target{id},subattachments{target{id}}}'
  const { data } = await graph.get(Posts, `${path`/${pageId}/published_posts`}?fields=${fields}&limit=50`)
  const found = data.find((post) => photosIn(post).some((id) => id !== undefined && photos.includes(id)))
  if (found) return { remoteId: found.id, remoteUrl: found.permalink_url ?? null }
  // Where no post at all is shown, ours would not be either.
  return data.length > 0 ? 'not-there' : 'cannot-tell'
}

async function publishReel(
  graph: Graph,
  outbound: Outbound,
  credentials: Credentials,
  pageId: string,
  { text, steps }: Parcel,
  file: Payload,
  line: Line,
) {
  const reels = path`/${pageId}/video_reels`
  const begun = begunIn(steps)
  const { video_id, upload_url } =
    begun.video && begun.uploadUrl
      ? { video_id: begun.video, upload_url: begun.uploadUrl }
      : await graph.post(Started, reels, { upload_phase: 'start' })
  if (!isTheirs(upload_url, graph.base)) throw new Unreadable('facebook')
  const started = {
    since: begun.since ?? new Date().toISOString(),
    photos: [],
    video: video_id,
    uploadUrl: upload_url,
  }
  await line.remember(started)
  read(
    'facebook',
    Done,
    understood(
      'facebook',
      await outbound.send({
        method: 'POST',
        url: upload_url,
        headers: {
          authorization: `OAuth ${await credentials.token()}`,
          offset: '0',
          file_size: String(file.sizeBytes),
          'content-type': 'application/octet-stream',
        },
        body: file,
        idleSeconds: 120,
        signal: line.signal,
        sent: line.sent,
      }),
    ),
  )
  await line.remember({ ...started, isPosting: true })
  await graph.post(Done, reels, {
    upload_phase: 'finish',
    video_id,
    video_state: 'PUBLISHED',
    description: text,
  })
  return { remoteId: video_id, remoteUrl: null }
}

async function lookForReel(graph: Graph, video: string) {
  const { status } = await graph.get(Reel, `${path`/${video}`}?fields=status`)
  const phase = status.publishing_phase?.status
  if (phase === 'complete' || phase === 'in_progress') return { remoteId: video, remoteUrl: null }
  return phase === 'not_started' ? 'not-there' : phase === 'error' ? 'begin-anew' : 'cannot-tell'
}

/** The token goes to Facebook alone, wherever the bytes are to be put. */
const isTheirs = (url: string, base: string) =>
  URL.canParse(url) &&
  (new URL(url).host === new URL(base).host || /(^|\.)facebook\.com$/.test(new URL(url).hostname))

const PostId = Type.String({ pattern: '^[0-9]{1,40}_[0-9]{1,40}$' })
const Started = Type.Object({ video_id: GraphId, upload_url: Type.String({ pattern: '^https?://' }) })
const Done = Type.Object({ success: Type.Literal(true) })
const Reel = Type.Object({
  status: Type.Object({
    publishing_phase: Type.Optional(Type.Object({ status: Type.Optional(Type.String()) })),
  }),
})
const Target = Type.Object({
  target: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) })),
})
const Posts = Type.Object({
  data: Type.Array(
    Type.Object({
      id: PostId,
      permalink_url: Type.Optional(Type.String()),
      attachments: Type.Optional(
        Type.Object({
          data: Type.Array(
            Type.Object({
              ...Target.properties,
              subattachments: Type.Optional(Type.Object({ data: Type.Array(Target) })),
            }),
          ),
        }),
      ),
    }),
  ),
})
const photosIn = ({ attachments }: Static<typeof Posts>['data'][number]) =>
  (attachments?.data ?? []).flatMap(({ target, subattachments }) =>
    [target, ...(subattachments?.data ?? []).map((each) => each.target)].map((each) => each?.id),
  )

const Begun = Type.Object({
  since: Type.Optional(Type.String()),
  photos: Type.Array(GraphId),
  video: Type.Optional(GraphId),
  uploadUrl: Type.Optional(Type.String()),
  isPosting: Type.Optional(Type.Boolean()),
})
type Begun = Static<typeof Begun>

const uploadLives = 23 * 3600_000

/** What was begun. Facebook forgets after a day what was uploaded and not published. */
function begunIn(steps: unknown): Begun {
  const begun = Value.Check(Begun, steps) ? structuredClone(steps) : undefined
  const isOver = begun?.since !== undefined && Date.parse(begun.since) < Date.now() - uploadLives
  return begun && (begun.isPosting || !isOver) ? begun : { photos: [] }
}
