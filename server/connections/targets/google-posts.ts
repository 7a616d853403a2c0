import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { isFilm } from '../../../contract/media-types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { accepted, read } from './answers.ts'
import type { Credentials } from './credentials.ts'
import { googleLocation, madeSince } from './google-api.ts'
import { path } from './path.ts'
import { poll } from './poll.ts'
import { type DeliveryTarget, type Remote, TargetFault } from './target.ts'

/**
 * Updates of a business profile. Google fetches the picture after it has taken the post, which is seen once it is LIVE
 * (developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts, read on 2026-11-15).
 */
export function googlePosts(
  outbound: Outbound,
  { languageCode = 'en', ...location }: ConnectionSettings<'gbp-posts'>,
  credentials: Credentials,
): DeliveryTarget {
  const { place, ask, post } = googleLocation(outbound, credentials, location)
  const readPost = async (name: string) => read('gbp', LocalPost, await ask('GET', addressOf(name)))
  const addressOf = (name: string) => `${place}${path`/localPosts/${name.split('/').at(-1)!}`}`

  /** A post that Google rejects is seen by nobody, and only in the way of another try. */
  async function outcomeOf(made: Static<typeof LocalPost>): Promise<Remote | 'rejected' | undefined> {
    if (made.state === 'LIVE') return { remoteId: made.name, remoteUrl: made.searchUrl ?? null }
    if (made.state !== 'REJECTED') return undefined
    const answer = await ask('DELETE', addressOf(made.name))
    if (answer.status !== 404) accepted('gbp', answer)
    return 'rejected'
  }

  return {
    settleSeconds: 30,

    async check() {
      read('gbp', LocalPosts, await ask('GET', `${place}/localPosts?pageSize=1`))
    },

    async look({ text, steps, others }) {
      if (!isBegun(steps)) return 'not-there'
      const { localPosts = [] } = steps.name
        ? { localPosts: [await readPost(steps.name)] }
        : read('gbp', LocalPosts, await ask('GET', `${place}/localPosts?pageSize=100`))
      const found = localPosts.filter(
        ({ name, summary, createTime = '' }) =>
          name === steps.name ||
          (summary === text &&
            createTime >= steps.creatingSince &&
            !others.some(({ remoteId }) => remoteId === name)),
      )
      // A list may show new posts late, so an empty place says nothing.
      if (found.length !== 1) return 'cannot-tell'
      const outcome = await outcomeOf(found[0]!)
      if (!outcome) throw stillAtWork
      return outcome === 'rejected' ? 'begin-anew' : outcome
    },

    async send({ text }, [file], line) {
      const creatingSince = madeSince()
      const sourceUrl = await file.address()
      await line.remember({ creatingSince })
      const made = read(
        'gbp',
        LocalPost,
        await post(`${place}/localPosts`, {
          languageCode,
          summary: text,
          topicType: 'STANDARD',
          media: [{ mediaFormat: isFilm(file.mimeType) ? 'VIDEO' : 'PHOTO', sourceUrl }],
        }),
      )
      await line.remember({ creatingSince, name: made.name })
      const outcome = await poll(async () => outcomeOf(await readPost(made.name)), line.signal)
      if (!outcome) throw stillAtWork
      if (outcome !== 'rejected') return outcome
      throw new TargetFault('refused', 'refused', 'Google rejected the post.', { who: 'gbp' })
    },
  }
}

/** The name of a post of this very place. */
export const googlePostIds = ({ accountId, locationId }: ConnectionSettings<'gbp-posts'>) =>
  new RegExp(`^accounts/${accountId}/locations/${locationId}/localPosts/[A-Za-z0-9_-]{1,200}$`)

const stillAtWork = new TargetFault('broken', 'still-at-work', 'Google is still at work on the post.', {
  who: 'gbp',
})

const LocalPost = Type.Object({
  name: Type.String(),
  state: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  searchUrl: Type.Optional(Type.String()),
  createTime: Type.Optional(Type.String()),
})
const LocalPosts = Type.Object({ localPosts: Type.Optional(Type.Array(LocalPost)) })
const Begun = Type.Object({ creatingSince: Type.String(), name: Type.Optional(Type.String()) })
const isBegun = (steps: unknown): steps is Static<typeof Begun> => Value.Check(Begun, steps)
