import type { PendingStep } from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import type { Caller } from '../library.ts'

declare module 'fastify' {
  interface FastifyRequest {
    recognised: Recognised | null
  }
}

/** Who calls, and the client they name if they may see it. One query, on every request: a revocation bites at once. */
export interface Recognised {
  caller: Caller
  visibleClientId: string | null
  /** The last event of the client that the request is about, as it was before anything else was read. */
  lastEventId: number | null
  /** The last of them that changed the tree of folders. */
  lastFolderEventId: number | null
  /** How a person is logged in; null for a key. */
  session: Session | null
}

export interface Session {
  id: string
  language: Language | null
  /** What has to be done before anything else is open. */
  pending: PendingStep | null
}

/** The client that a request is about, if it is about one. */
export const clientOf = ({ caller, visibleClientId }: Recognised) => visibleClientId ?? caller.clientId
