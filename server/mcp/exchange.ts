import type { FastifyBaseLogger } from 'fastify'
import type { Agent } from './agent.ts'

/** A request and all that its answer may need, however long that goes on. */
export interface Exchange {
  agent: Agent
  request: Request
  body: unknown
  log: FastifyBaseLogger
  /** Aborted when the caller has gone, or we go. */
  signal: AbortSignal
  /** Asked before anything is told: a key taken away ends the stream. */
  mayGoOn(): Promise<boolean>
}
