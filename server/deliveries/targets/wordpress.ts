import { createHash } from 'node:crypto'
import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import { contentDisposition } from '../../file-answers.ts'
import type { Outbound, OutboundRequest } from '../../outbound.ts'
import { path } from './path.ts'
import { type DeliveryTarget, goodAnswer, type Payload, type Remote, TargetFault } from './target.ts'

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
  const askJson = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    goodAnswer(
      'WordPress',
      await ask(method, path, {
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    )
  const find = async (query: string, mark: string) => {
    const found = Object.values(await askJson('GET', `/media?${query}&context=edit&per_page=20`)) as Media[]
    return found.filter((media) => carries(media, mark)).sort((a, b) => a.id - b.id)[0]
  }

  return {
    settleSeconds: 10,

    async check() {
      const me = await askJson('GET', '/users/me?context=edit')
      if (!(me.capabilities as Record<string, boolean> | undefined)?.upload_files)
        throw new TargetFault(
          'refused',
          'The WordPress user may not upload files. Give it the role Author or more.',
        )
    },

    async look({ mark, filename }) {
      const slug = filename.replace(/\.[^.]*$/, '')
      // The slug stays when the title is changed; a site that makes its own slugs keeps the mark in the title.
      const found = (await find(path`slug=${slug}`, mark)) ?? (await find(path`search=${mark}`, mark))
      return found ? remoteOf(found) : 'not-there'
    },

    async send({ filename }, file, line) {
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
      // Stored, but making the smaller sizes broke off: WordPress says so in a header, and how to go on.
      const stored = answer.headers['x-wp-upload-attachment-id']
      if (answer.status >= 500 && stored && /^\d+$/.test(stored)) {
        await askJson('POST', path`/media/${stored}/post-process`, { action: 'create-image-subsizes' })
        return remoteOf((await askJson('GET', path`/media/${stored}?context=edit`)) as unknown as Media)
      }
      return remoteOf(goodAnswer('WordPress', answer) as unknown as Media)
    },

    async describe({ remoteId }, { title, altText, description }) {
      await askJson('POST', path`/media/${remoteId}`, {
        title,
        alt_text: altText,
        caption: description,
        description,
      })
      return remoteOf((await askJson('GET', path`/media/${remoteId}?context=edit`)) as unknown as Media)
    },

    async remove(remoteId) {
      const answer = await ask('DELETE', path`/media/${remoteId}?force=true`)
      if (answer.status !== 404 && answer.status !== 410) goodAnswer('WordPress', answer)
    },
  }
}

/** The number of a media item. */
export const wordpressIds = () => /^[1-9][0-9]{0,15}$/

interface Media {
  id: number
  slug?: string
  source_url?: string
  title?: { raw?: string }
}

const carries = ({ slug, source_url, title }: Media, mark: string) =>
  [slug, source_url, title?.raw].some((text) => text?.includes(mark))

function remoteOf({ id, source_url }: Media): Remote {
  if (!Number.isSafeInteger(id))
    throw new TargetFault('broken', 'WordPress answered with something that is no media item.')
  return { remoteId: String(id), remoteUrl: source_url ?? null }
}

async function md5Of(file: Payload): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of await file.open()) hash.update(chunk)
  return hash.digest('hex')
}
