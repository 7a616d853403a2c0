import { createHash, randomUUID } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { contentDisposition } from '../../http/file-answers.ts'
import type { Outbound, OutboundAnswer } from '../../outbound/outbound.ts'
import { accepted, read, readIfThere } from './answers.ts'
import { path } from './path.ts'
import {
  type DeliveryTarget,
  NotOurs,
  type Parcel,
  type Payload,
  type Remote,
  TargetFault,
  type Words,
} from './target.ts'
import { refuseWordpress, wordpressFault } from './wordpress-refusals.ts'
import { type WordpressRequest, wordpressSite } from './wordpress-site.ts'

/**
 * The media library of a WordPress site, by its REST API and an application password. An upload is not idempotent
 * there, so each one carries its words and our mark, in its slug and in its file name, in the same request as its bytes.
 */
export function wordpress(
  outbound: Outbound,
  { siteUrl }: ConnectionSettings<'wordpress'>,
  { username, applicationPassword }: ConnectionSecrets<'wordpress'>,
): DeliveryTarget {
  const login = Buffer.from(`${username}:${applicationPassword}`).toString('base64')
  const ask = wordpressSite(outbound, siteUrl, `Basic ${login}`)
  const answerTo = async (route: string, more: WordpressRequest): Promise<OutboundAnswer> => {
    const answer = await ask(more.body ? 'POST' : 'GET', route, more)
    if (answer.status === 401 && (await takesNoPasswords()))
      throw wordpressFault('application-passwords-off', answer)
    refuseWordpress(answer)
    return answer
  }
  /** Why a login does not count is seldom said; whether this kind of login is taken at all is. */
  const takesNoPasswords = async () => {
    const index = readIfThere(Index, await ask('GET', '', { params: { _fields: 'authentication' } }))
    return index !== undefined && !('application-passwords' in index.authentication)
  }
  const askFor = async <T extends TSchema>(
    form: T,
    route: string,
    more: WordpressRequest,
  ): Promise<Static<T>> => read('wordpress', form, await answerTo(route, more))
  const list = async (params: Record<string, string>) => {
    const answer = await answerTo('wp/v2/media', { params: { ...params, ...shown(), context: 'edit' } })
    // With what is there it is said what this user may do there.
    if (answer.headers.allow?.includes('POST') === false) throw wordpressFault('may-not-upload', answer)
    return read('wordpress', Type.Array(Media), answer)
  }
  const newest = () => list({ orderby: 'id', order: 'desc', per_page: '100' })
  const one = (id: string) => ask('GET', path`wp/v2/media/${id}`, { params: { ...shown(), context: 'edit' } })

  return {
    // Longer than a site goes on with what it has received, though a gateway has answered for it.
    settleSeconds: 600,

    async check() {
      const params = { context: 'edit' }
      const { capabilities } = await askFor(Me, 'wp/v2/users/me', {
        params,
        idleSeconds: 60,
        totalSeconds: 60,
      })
      if (!capabilities?.upload_files)
        throw new TargetFault(
          'refused',
          'may-not-upload',
          'The WordPress user may not upload files. Give it the role Author or more.',
        )
      await newest().catch(unlessListless)
    },

    async prepare() {
      const [last] = await newest().catch(unlessListless)
      return { newestBefore: last?.id ?? null }
    },

    async look(parcel) {
      const { mark, filename, steps, others } = parcel
      const isOurs = (media: Media) => carries(media, mark)
      if (isNumber(steps.attachmentId)) {
        const there = await one(steps.attachmentId)
        if (!isGone(there)) return remoteOf(understood(Media, there))
      }
      // A site may change the slug, the title or the file's name, and rarely all of them.
      for (const params of [{ slug: slugOf(filename) }, { search: mark }] as Record<string, string>[]) {
        const found = oldest((await list(params)).filter(isOurs))
        if (found) return remoteOf(found)
      }
      const now = await newest()
      const found = oldest(now.filter(isOurs))
      if (found) return remoteOf(found)

      const isOthers = (media: Media) =>
        others.some((other) => other.remoteId === String(media.id) || carries(media, other.mark))
      const added = now
        .filter(({ id }) => id > Number(steps.newestBefore ?? 0))
        .filter((media) => !isOthers(media))
      const alike = added.filter((media) => resembles(media, parcel))
      if (alike.length === 1) return remoteOf(alike[0]!)
      // A list that lacks what we know to be there shows nothing.
      const isTrue = now.some(({ id }) => id === steps.newestBefore)
      return isTrue && added.length === 0 ? 'not-there' : 'cannot-tell'
    },

    async send({ filename, words, steps }, [file], line) {
      const answer = await ask('POST', 'wp/v2/media', {
        params: inAddress({ slug: slugOf(filename), ...theirWords(words) }),
        headers: {
          'content-type': file.mimeType,
          'content-disposition': contentDisposition('attachment', filename),
          'content-md5': await md5Of(file),
        },
        body: file,
        totalSeconds: 3600,
        idleSeconds: 300,
        signal: line.signal,
        sent: line.sent,
      })
      // WordPress names what it has stored before it makes the smaller sizes, on which it may break off.
      const stored = answer.headers['x-wp-upload-attachment-id']
      const said = answer.status < 300 ? readIfThere(Media, answer) : undefined
      if (said || !isNumber(stored)) return remoteOf(said ?? understood(Media, answer))
      await line.remember({ ...steps, attachmentId: stored })
      if (answer.status >= 500) await makeSizes(stored).catch(() => {})
      return { remoteId: stored, remoteUrl: null }
    },

    async describe({ remoteId }, words) {
      const there = understood(Media, await one(remoteId))
      if (says(there, words)) return remoteOf(there)
      return remoteOf(
        await askFor(Media, path`wp/v2/media/${remoteId}`, {
          body: JSON.stringify(theirWords(words)),
          headers: { 'content-type': 'application/json' },
        }),
      )
    },

    async remove(remoteId, { mark }) {
      const there = await one(remoteId)
      if (isGone(there)) return
      if (!carries(understood(Media, there), mark)) throw new NotOurs('wordpress')
      const answer = await ask('DELETE', path`wp/v2/media/${remoteId}`, { params: { force: 'true' } })
      if (isGone(answer)) return
      refuseWordpress(answer)
      accepted('wordpress', answer)
    },
  }

  function makeSizes(id: string) {
    return askFor(Type.Unknown(), path`wp/v2/media/${id}/post-process`, {
      body: JSON.stringify({ action: 'create-image-subsizes' }),
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** Who may upload need not be allowed to list. */
function unlessListless(error: unknown): Media[] {
  if (error instanceof TargetFault && error.reason.code === 'refused') return []
  throw error
}

function understood<T extends TSchema>(form: T, answer: OutboundAnswer): Static<T> {
  refuseWordpress(answer)
  return read('wordpress', form, answer)
}

/** The number of a media item. */
export const wordpressIds = () => /^[1-9][0-9]{0,15}$/
const isNumber = (id: unknown): id is string => typeof id === 'string' && wordpressIds().test(id)

const Me = Type.Object({ capabilities: Type.Optional(Type.Record(Type.String(), Type.Unknown())) })
// Without any, PHP writes an empty list.
const Index = Type.Object({
  authentication: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())]),
})
const Text = Type.Optional(Type.Object({ raw: Type.Optional(Type.String()) }))
const Media = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  slug: Type.Optional(Type.String()),
  source_url: Type.Optional(Type.String()),
  title: Text,
  alt_text: Type.Optional(Type.String()),
  caption: Text,
  description: Text,
  date_gmt: Type.Optional(Type.String()),
  media_details: Type.Optional(Type.Unknown()),
})
type Media = Static<typeof Media>

// Under an address of its own, so that no cache answers with how it was.
const shown = () => ({ _fields: Object.keys(Media.properties).join(), _: randomUUID() })

const slugOf = (filename: string) => filename.replace(/\.[^.]*$/, '')

const theirWords = ({ title, altText, description }: Words) => ({
  title,
  alt_text: altText,
  caption: description,
  description,
})

const says = (media: Media, { title, altText, description }: Words) =>
  media.title?.raw === title &&
  media.alt_text === altText &&
  media.caption?.raw === description &&
  media.description?.raw === description

const longestQuery = 4000

/** As many of them as an address may hold everywhere; the others are set afterwards. */
function inAddress(params: Record<string, string>): Record<string, string> {
  const fitting: Record<string, string> = {}
  for (const [name, value] of Object.entries(params))
    if (value && new URLSearchParams({ ...fitting, [name]: value }).toString().length <= longestQuery)
      fitting[name] = value
  return fitting
}

const carries = ({ slug, source_url, title }: Media, mark: string) =>
  [slug, source_url, title?.raw].some((text) => text?.includes(mark))

const clockSkew = 15 * 60_000

/** Without our mark it is known by two things that agree, and by when it was made. */
function resembles(media: Media, { words, sizeBytes, sentAt }: Parcel): boolean {
  const { filesize } = (media.media_details ?? {}) as { filesize?: unknown }
  const agreeing = [
    media.title?.raw === words.title,
    words.altText !== '' && media.alt_text === words.altText,
    filesize === sizeBytes,
  ].filter(Boolean)
  const made = Date.parse(`${media.date_gmt}Z`)
  return agreeing.length >= 2 && made > sentAt.getTime() - clockSkew
}

const oldest = (found: Media[]) => found.sort((a, b) => a.id - b.id)[0]

const isGone = ({ status }: OutboundAnswer) => status === 404 || status === 410

const remoteOf = ({ id, source_url }: Media): Remote => ({
  remoteId: String(id),
  remoteUrl: source_url ?? null,
})

async function md5Of(file: Payload): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of await file.open()) hash.update(chunk)
  return hash.digest('hex')
}
