import { createHash, randomUUID } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import { contentDisposition } from '../../http/file-answers.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../outbound/outbound.ts'
import { accepted, read, readIfThere } from './answers.ts'
import { path } from './path.ts'
import { type DeliveryTarget, NotOurs, type Payload, type Remote, TargetFault } from './target.ts'

/**
 * The media library of a WordPress site, by its REST API and an application password. An upload is not
 * idempotent there, so each one carries our mark in its file name, from which WordPress makes its slug.
 */
export function wordpress(
  outbound: Outbound,
  { siteUrl }: ConnectionSettings<'wordpress'>,
  { username, applicationPassword }: ConnectionSecrets<'wordpress'>,
): DeliveryTarget {
  const api = `${siteUrl.replace(/\/+$/, '')}/wp-json/wp/v2`
  const authorization = `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString('base64')}`
  const ask = (method: OutboundRequest['method'], path: string, more: Partial<OutboundRequest> = {}) =>
    outbound.send({
      method,
      url: `${api}${path}`,
      totalSeconds: 60,
      ...more,
      headers: { authorization, accept: 'application/json', ...more.headers },
    })
  const askFor = async <T extends TSchema>(
    form: T,
    method: 'GET' | 'POST',
    where: string,
    body?: object,
  ): Promise<Static<T>> =>
    read(
      'wordpress',
      form,
      await ask(method, where, {
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    )
  // Under an address of its own, so that no cache answers with how it was.
  const list = (query: string) =>
    askFor(Type.Array(Media), 'GET', `/media?${query}&${shown}&_=${randomUUID()}`)
  const newest = () => list('orderby=id&order=desc&per_page=100')
  const item = async (id: string) => remoteOf(await askFor(Media, 'GET', `${path`/media/${id}`}?${shown}`))

  return {
    // Longer than a site goes on with what it has received, though a gateway has answered for it.
    settleSeconds: 600,

    async check() {
      const { capabilities } = await askFor(Me, 'GET', '/users/me?context=edit')
      if (!capabilities?.upload_files)
        throw new TargetFault(
          'refused',
          'may-not-upload',
          'The WordPress user may not upload files. Give it the role Author or more.',
        )
    },

    async prepare() {
      try {
        const [last] = await newest()
        return { newestBefore: last?.id ?? null }
      } catch (error) {
        if (error instanceof TargetFault && error.fault === 'refused') return { newestBefore: null }
        throw error
      }
    },

    async look({ mark, filename, steps, others }) {
      if (isNumber(steps.attachmentId)) return item(steps.attachmentId)
      const slug = filename.replace(/\.[^.]*$/, '')
      // The slug stays when the title is changed; a site that makes its own slugs keeps the mark in the title.
      for (const query of [path`slug=${slug}`, path`search=${mark}`]) {
        const found = (await list(query)).filter((media) => carries(media, mark))
        if (found.length > 0) return remoteOf(found.sort((a, b) => a.id - b.id)[0]!)
      }
      // A site may call it something else altogether. Then it is one that was not there before.
      const now = await newest()
      const isKnown = (media: Media) => others.some((other) => carries(media, other.mark))
      const before = now.findIndex(({ id }) => id === steps.newestBefore)
      return before >= 0 && now.slice(0, before).every(isKnown) ? 'not-there' : 'cannot-tell'
    },

    async send({ filename, steps }, file, line) {
      const answer = await ask('POST', '/media', {
        headers: {
          'content-type': file.mimeType,
          'content-disposition': contentDisposition('attachment', filename),
          'content-md5': await md5Of(file),
        },
        body: file,
        totalSeconds: 3600,
        idleSeconds: 120,
        signal: line.signal,
        sent: line.sent,
      })
      // WordPress names what it has stored before it makes the smaller sizes, on which it may break off.
      const stored = answer.headers['x-wp-upload-attachment-id']
      const said = readIfThere(Media, answer)
      if (!isNumber(stored) || (answer.status < 300 && said))
        return remoteOf(read('wordpress', Media, answer))
      await line.remember({ ...steps, attachmentId: stored })
      if (answer.status >= 500)
        await askFor(Type.Unknown(), 'POST', path`/media/${stored}/post-process`, {
          action: 'create-image-subsizes',
        })
      return item(stored)
    },

    async describe({ remoteId }, { title, altText, description }) {
      await askFor(Media, 'POST', path`/media/${remoteId}`, {
        title,
        alt_text: altText,
        caption: description,
        description,
      })
      return item(remoteId)
    },

    async remove(remoteId, { mark }) {
      const there = await ask('GET', `${path`/media/${remoteId}`}?${shown}&_=${randomUUID()}`)
      if (isGone(there)) return
      if (!carries(read('wordpress', Media, there), mark)) throw new NotOurs('wordpress')
      const answer = await ask('DELETE', path`/media/${remoteId}?force=true`)
      if (!isGone(answer)) accepted('wordpress', answer)
    },
  }
}

/** The number of a media item. */
export const wordpressIds = () => /^[1-9][0-9]{0,15}$/
const isNumber = (id: unknown): id is string => typeof id === 'string' && wordpressIds().test(id)

const Me = Type.Object({ capabilities: Type.Optional(Type.Record(Type.String(), Type.Unknown())) })
const Media = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  slug: Type.Optional(Type.String()),
  source_url: Type.Optional(Type.String()),
  title: Type.Optional(Type.Object({ raw: Type.Optional(Type.String()) })),
})
type Media = Static<typeof Media>
const shown = 'context=edit&_fields=id,slug,source_url,title'

const carries = ({ slug, source_url, title }: Media, mark: string) =>
  [slug, source_url, title?.raw].some((text) => text?.includes(mark))

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
