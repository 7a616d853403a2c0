import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import type { Outbound, OutboundRequest } from '../../outbound.ts'
import { path } from './path.ts'
import { type DeliveryTarget, goodAnswer, TargetFault } from './target.ts'

/**
 * The gallery of a business profile: an upload is begun, filled and only then made a media item. Everything up to
 * that last step can be repeated; whether the last one happened can be told only by what the gallery lists.
 */
export function googleBusinessProfile(
  outbound: Outbound,
  { accountId, locationId, category = 'ADDITIONAL', baseUrl = google }: ConnectionSettings<'gbp'>,
  { accessToken }: ConnectionSecrets<'gbp'>,
): DeliveryTarget {
  const base = baseUrl.replace(/\/+$/, '')
  const media = path`/v4/accounts/${accountId}/locations/${locationId}/media`
  const ask = async (
    method: OutboundRequest['method'],
    path: string,
    more: Partial<OutboundRequest> = {},
  ): Promise<Record<string, unknown>> =>
    goodAnswer(
      'Google',
      await outbound.send({
        method,
        url: `${base}${path}`,
        totalSeconds: 60,
        ...more,
        headers: { authorization: `Bearer ${accessToken}`, ...more.headers },
      }),
    )
  const json = (body: object) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

  return {
    settleSeconds: 10,

    async check() {
      await ask('GET', `${media}?pageSize=1`)
    },

    async look({ steps, words }) {
      if (!steps.creatingSince) return 'not-there'
      const { mediaItems = [] } = (await ask('GET', `${media}?pageSize=100`)) as { mediaItems?: MediaItem[] }
      const found = mediaItems.filter(
        ({ description, createTime }) =>
          description === captionOf(words) && !!createTime && createTime >= String(steps.creatingSince),
      )
      // A gallery shows new items late, so an empty place says nothing.
      return found.length === 1 ? remoteOf(found[0]!) : 'cannot-tell'
    },

    async send({ steps, words }, file, line) {
      const resourceName = steps.resourceName ?? (await ask('POST', `${media}:startUpload`)).resourceName
      if (typeof resourceName !== 'string')
        throw new TargetFault('broken', 'Google began no upload that could be filled.')
      await line.remember({ resourceName })
      await ask('POST', `/upload/v1/media/${encodeURI(resourceName)}?upload_type=media`, {
        headers: { 'content-type': file.mimeType },
        body: file,
        totalSeconds: 3600,
        idleSeconds: 120,
        signal: line.signal,
        sent: line.sent,
      })
      await line.remember({ resourceName, creatingSince: new Date(Date.now() - clockSkew).toISOString() })
      const item = await ask(
        'POST',
        media,
        json({
          mediaFormat: file.mimeType === 'video/mp4' ? 'VIDEO' : 'PHOTO',
          locationAssociation: { category },
          dataRef: { resourceName },
          description: captionOf(words),
        }),
      )
      return remoteOf(item as MediaItem)
    },

    async remove(remoteId) {
      const answer = await outbound.send({
        method: 'DELETE',
        url: `${base}${media}${path`/${remoteId.split('/').at(-1)!}`}`,
        headers: { authorization: `Bearer ${accessToken}` },
        totalSeconds: 60,
      })
      if (answer.status !== 404) goodAnswer('Google', answer)
    },
  }
}

/** The name of an item in the gallery of this very place. */
export const googleIds = ({ accountId, locationId }: ConnectionSettings<'gbp'>) =>
  new RegExp(`^accounts/${accountId}/locations/${locationId}/media/[A-Za-z0-9_-]{1,200}$`)

const google = 'https://mybusiness.googleapis.com'
const clockSkew = 120_000

interface MediaItem {
  name?: string
  googleUrl?: string
  description?: string
  createTime?: string
}

const captionOf = ({ title, description }: { title: string; description: string }) =>
  (description || title).slice(0, 1000)

function remoteOf({ name, googleUrl }: MediaItem) {
  if (!name) throw new TargetFault('broken', 'Google answered with something that is no media item.')
  return { remoteId: name, remoteUrl: googleUrl ?? null }
}
