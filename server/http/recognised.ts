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
}

/** The client that a request is about, if it is about one. */
export const clientOf = ({ caller, visibleClientId }: Recognised) => visibleClientId ?? caller.clientId
