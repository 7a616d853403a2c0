import { connectionKinds, type PostRules, postRules } from '../../contract/connection-kinds.ts'
import type { Connection } from '../../contract/deliveries.ts'
import type { Surface } from '../../contract/words.ts'
import { isDead } from './dead-connections.tsx'
import { surfacesOf } from './kinds.ts'

/** Where a set is to go: a connection, or a target that it is only planned for. */
export interface SetChoice {
  id: string
  connection?: Connection
  surfaces: readonly Surface[]
  /** Whose rules it must fit; undefined where those of the surface count. */
  rules: string | undefined
  /** Where all of it becomes one post with a text. */
  post: PostRules | undefined
}

/** What a carousel is planned for without a connection: whoever copies the refs has one elsewhere. */
export const planned = ['instagram', 'facebook-page', 'linkedin', 'x', 'tiktok'] as const

const planFor = (target: string): SetChoice => ({
  id: target,
  surfaces: ['social'],
  rules: target,
  post: undefined,
})

const deliverTo = (connection: Connection): SetChoice => ({
  id: connection.connectionId,
  connection,
  surfaces: surfacesOf(connection.kind),
  rules: connectionKinds[connection.kind].rules,
  post: postRules(connection.kind),
})

/** The one that is wanted, or else the first that works: for a carousel, one that publishes posts. */
export function choiceAmong(
  connections: Connection[],
  wanted: string | undefined,
  asCarousel: boolean,
): SetChoice {
  const living = connections.filter((one) => !isDead(one)).map(deliverTo)
  if (wanted && planned.some((target) => target === wanted)) return planFor(wanted)
  return (
    living.find(({ id }) => id === wanted) ??
    living.find(({ post }) => post || !asCarousel) ??
    planFor(planned[0])
  )
}
