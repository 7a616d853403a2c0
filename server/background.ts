import type { FastifyBaseLogger } from 'fastify'
import { jobHandlers } from './job-handlers.ts'
import type { Parts } from './library.ts'
import { keepVectors } from './meaning/keep-vectors.ts'
import { followEvents } from './notifications/follow.ts'
import { sendWebhooks } from './webhooks/send.ts'

export interface Background {
  /** Jobs end with the parts they are one of. */
  stop(): Promise<void>
}

/** What a process does by itself, beside answering requests. */
export async function startBackground(parts: Parts, log: FastifyBaseLogger): Promise<Background> {
  await parts.jobs.work(jobHandlers(parts))
  const followers = [sendWebhooks(parts, log), followEvents(parts, log), keepVectors(parts, log)]
  return {
    async stop() {
      await Promise.all(followers.map((one) => one.stop()))
    },
  }
}
