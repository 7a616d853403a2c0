import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { isFilm } from '../../../contract/media-types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Credentials } from './credentials.ts'
import { GraphId, graphApi } from './graph.ts'
import { path } from './path.ts'
import { poll } from './poll.ts'
import { type DeliveryTarget, type Line, type Payload, TargetFault } from './target.ts'

/**
 * Instagram fetches each file into a container; a carousel is a container of containers. Nobody sees one until it is
 * published, and it can be published once: so what a lost answer left open, the container itself tells
 * (developers.facebook.com/docs/instagram-platform/content-publishing and …/reference/ig-container, read on 2026-11-15). What was made by
 * AI is labelled on the container that is published, of a carousel on that alone (…/instagram-platform/changelog, 22 June 2026).
 */
export function instagram(
  outbound: Outbound,
  { userId, baseUrl }: ConnectionSettings<'instagram'>,
  credentials: Credentials,
): DeliveryTarget {
  const graph = graphApi('instagram', outbound, credentials, baseUrl)
  const contain = async (fields: object) =>
    (await graph.post(Type.Object({ id: GraphId }), path`/${userId}/media`, fields)).id
  const statusOf = async (container: string) =>
    graph.get(Container, `${path`/${container}`}?fields=status_code,status`)

  /** Waits until a container has its file. */
  async function filled(container: string, { signal }: Line): Promise<void> {
    const done = await poll(async () => {
      const now = await statusOf(container)
      return now.status_code === 'IN_PROGRESS' ? undefined : now
    }, signal)
    if (!done)
      throw new TargetFault('busy', 'still-at-work', 'Instagram is still at work on the file.', {
        who: 'instagram',
      })
    if (done.status_code === 'FINISHED') return
    const said = (done.status ?? done.status_code).slice(0, 200)
    throw new TargetFault('refused', 'refused', `Instagram could not take the file (${said}).`, {
      who: 'instagram',
      said,
    })
  }

  return {
    settleSeconds: 30,

    async check() {
      await graph.get(Type.Object({ data: Type.Array(Type.Unknown()) }), `${path`/${userId}`}${limitPath}`)
    },

    async look({ text, steps, others }) {
      const { container, publishingSince } = begunIn(steps)
      if (!container || !publishingSince) return 'not-there'
      const { status_code } = await statusOf(container)
      if (status_code === 'FINISHED') return 'not-there'
      if (status_code === 'EXPIRED' || status_code === 'ERROR') return 'begin-anew'
      if (status_code !== 'PUBLISHED') return 'cannot-tell'
      const fields = 'id,caption,permalink,timestamp'
      const { data } = await graph.get(Recent, `${path`/${userId}/media`}?fields=${fields}&limit=50`)
      const found = data.filter(
        ({ id, caption = '', timestamp }) =>
          inOneLine(caption) === inOneLine(text) &&
          Date.parse(timestamp) >= Date.parse(publishingSince) &&
          !others.some(({ remoteId }) => remoteId === id),
      )
      return found.length === 1
        ? { remoteId: found[0]!.id, remoteUrl: found[0]!.permalink ?? null }
        : 'cannot-tell'
    },

    async send({ text, steps }, files, line) {
      let begun = begunIn(steps)
      const remember = (more: Partial<Begun>) => {
        begun = { ...begun, ...more }
        return line.remember(begun)
      }
      if (!begun.since) await remember({ since: new Date().toISOString() })

      const isCarousel = files.length > 1
      while (isCarousel && begun.children.length < files.length) {
        const child = await contain({
          ...(await mediaOf(files[begun.children.length]!, 'VIDEO')),
          is_carousel_item: true,
        })
        await remember({ children: [...begun.children, child] })
      }
      for (const child of begun.children) await filled(child, line)
      if (!begun.container) {
        const media = isCarousel
          ? { media_type: 'CAROUSEL', children: begun.children }
          : await mediaOf(files[0])
        const label = files.some(({ isMadeByAi }) => isMadeByAi) && { is_ai_generated: true }
        await remember({ container: await contain({ ...media, ...label, caption: text }) })
      }
      const container = begun.container!
      await filled(container, line)

      await remember({ publishingSince: new Date(Date.now() - clockSkew).toISOString() })
      try {
        const { id } = await graph.post(Type.Object({ id: GraphId }), path`/${userId}/media_publish`, {
          creation_id: container,
        })
        return { remoteId: id, remoteUrl: null }
      } catch (error) {
        throw (await isPublished(error, container)) ? published : error
      }
    },

    async describe({ remoteId, remoteUrl }) {
      const shown = await graph
        .get(Type.Object({ permalink: Type.String() }), `${path`/${remoteId}`}?fields=permalink`)
        .catch(() => undefined)
      return { remoteId, remoteUrl: shown?.permalink ?? remoteUrl }
    },
  }

  /** A container is refused, too, when it was published before. */
  async function isPublished(error: unknown, container: string): Promise<boolean> {
    if (!(error instanceof TargetFault && error.fault === 'refused')) return false
    return (await statusOf(container)).status_code === 'PUBLISHED'
  }
}

/** The number of a media object. */
export const instagramIds = () => /^[0-9]{1,40}$/

const limitPath = '/content_publishing_limit?fields=quota_usage'
const clockSkew = 120_000
const containerLives = 23 * 3600_000

const published = new TargetFault('ended', 'cannot-tell', 'Instagram says that it is published already.', {
  who: 'instagram',
})

const mediaOf = async (file: Payload, film: 'REELS' | 'VIDEO' = 'REELS') =>
  isFilm(file.mimeType)
    ? { media_type: film, video_url: await file.address() }
    : { image_url: await file.address(), ...(file.altText && { alt_text: file.altText }) }

const Container = Type.Object({ status_code: Type.String(), status: Type.Optional(Type.String()) })
const Recent = Type.Object({
  data: Type.Array(
    Type.Object({
      id: GraphId,
      caption: Type.Optional(Type.String()),
      permalink: Type.Optional(Type.String()),
      timestamp: Type.String(),
    }),
  ),
})
const Begun = Type.Object({
  since: Type.Optional(Type.String()),
  children: Type.Array(GraphId),
  container: Type.Optional(GraphId),
  publishingSince: Type.Optional(Type.String()),
})
type Begun = Static<typeof Begun>

/** What was begun; a container that was not published within a day is none any more, unless it may have been. */
function begunIn(steps: unknown): Begun {
  const begun = Value.Check(Begun, steps) ? steps : undefined
  const isOver = begun?.since !== undefined && Date.parse(begun.since) < Date.now() - containerLives
  return begun && (begun.publishingSince || !isOver) ? begun : { children: [] }
}

const inOneLine = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()
