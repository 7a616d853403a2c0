import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { isFilm } from '../../../contract/media-types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { accepted, read } from './answers.ts'
import type { Credentials } from './credentials.ts'
import { googleLocation, madeSince } from './google-api.ts'
import { path } from './path.ts'
import { type DeliveryTarget, NotOurs } from './target.ts'

/**
 * The gallery of a business profile: an upload is begun, filled and only then made a media item. Everything up to
 * that last step can be repeated; whether the last one happened can be told only by what the gallery lists.
 */
export function googleBusinessProfile(
  outbound: Outbound,
  { category = 'ADDITIONAL', ...location }: ConnectionSettings<'gbp'>,
  credentials: Credentials,
): DeliveryTarget {
  const { place, ask, post } = googleLocation(outbound, credentials, location)
  const media = `${place}/media`

  return {
    settleSeconds: 10,

    async check() {
      read('gbp', Gallery, await ask('GET', `${media}?pageSize=1`))
    },

    async look({ steps, others }) {
      if (!steps.creatingSince) return 'not-there'
      const { mediaItems = [] } = read('gbp', Gallery, await ask('GET', `${media}?pageSize=100`))
      const found = mediaItems.filter(
        (item) => isFrom(steps, item) && !others.some(({ remoteId }) => remoteId === item.name),
      )
      // A gallery shows new items late, so an empty place says nothing.
      return found.length === 1 ? remoteOf(found[0]!) : 'cannot-tell'
    },

    async send({ steps, words }, [file], line) {
      const { resourceName } = isBegun(steps)
        ? steps
        : read('gbp', Begun, await ask('POST', `${media}:startUpload`))
      await line.remember({ resourceName })
      const segments = resourceName.split('/').map((segment) => path`/${segment}`)
      accepted(
        'gbp',
        await ask('POST', `/upload/v1/media${segments.join('')}?upload_type=media`, {
          headers: { 'content-type': file.mimeType },
          body: file,
          totalSeconds: 3600,
          idleSeconds: 120,
          signal: line.signal,
          sent: line.sent,
        }),
      )
      const caption = captionOf(words)
      const creatingSince = madeSince()
      await line.remember({ resourceName, creatingSince, caption })
      const item = await post(media, {
        mediaFormat: isFilm(file.mimeType) ? 'VIDEO' : 'PHOTO',
        locationAssociation: { category },
        dataRef: { resourceName },
        description: caption,
      })
      return remoteOf(read('gbp', MediaItem, item))
    },

    async remove(remoteId, { steps }) {
      const item = `${media}${path`/${remoteId.split('/').at(-1)!}`}`
      const there = await ask('GET', item)
      if (there.status === 404) return
      if (!isFrom(steps, read('gbp', MediaItem, there))) throw new NotOurs('gbp')
      const answer = await ask('DELETE', item)
      if (answer.status !== 404) accepted('gbp', answer)
    },
  }
}

/** The name of an item in the gallery of this very place. */
export const googleIds = ({ accountId, locationId }: ConnectionSettings<'gbp'>) =>
  new RegExp(`^accounts/${accountId}/locations/${locationId}/media/[A-Za-z0-9_-]{1,200}$`)

const Begun = Type.Object({
  resourceName: Type.String({ pattern: '^[\\w=:~+-]+(/[\\w=:~+-]+)*$', maxLength: 1000 }),
})
const isBegun = (steps: unknown): steps is Static<typeof Begun> => Value.Check(Begun, steps)
const MediaItem = Type.Object({
  name: Type.String(),
  googleUrl: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  createTime: Type.Optional(Type.String()),
})
const Gallery = Type.Object({ mediaItems: Type.Optional(Type.Array(MediaItem)) })

const captionOf = ({ title, description }: { title: string; description: string }) =>
  (description || title).slice(0, 1000)

/** An item bears no mark of ours: it is known by its caption, and by when it was made. */
const isFrom = (
  { creatingSince, caption }: Record<string, unknown>,
  { description, createTime = '' }: Static<typeof MediaItem>,
) => description === caption && createTime >= String(creatingSince)

const remoteOf = ({ name, googleUrl }: Static<typeof MediaItem>) => ({
  remoteId: name,
  remoteUrl: googleUrl ?? null,
})
