import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '../http/recognised.ts'
import { Problem } from '../problems.ts'

/**
 * Counts the streams that a caller and a client hold: each costs work for as long as it is open, and not only when
 * it is asked for. Counted in this process.
 */
export class Streams {
  readonly #held = new Map<string, number>()
  readonly #most: { principal: number; client: number }

  constructor(most: { principal: number; client: number }) {
    this.#most = most
  }

  /** Held until its answer ends. */
  hold({ recognised }: FastifyRequest, { raw }: FastifyReply): void {
    const { caller } = recognised!
    const clientId = clientOf(recognised!)
    this.#refuseOver(caller.id, this.#most.principal, 'You hold')
    if (clientId) this.#refuseOver(clientId, this.#most.client, 'The people and agents of this client hold')
    for (const name of [caller.id, ...(clientId ? [clientId] : [])]) {
      this.#held.set(name, this.#of(name) + 1)
      raw.once('close', () => {
        const left = this.#of(name) - 1
        if (left > 0) this.#held.set(name, left)
        else this.#held.delete(name)
      })
    }
  }

  #of(name: string): number {
    return this.#held.get(name) ?? 0
  }

  #refuseOver(name: string, most: number, who: string): void {
    if (most === 0 || this.#of(name) < most) return
    throw new Problem('rate-limited', `${who} ${most} event streams already. Close one, then open another.`, {
      headers: { 'retry-after': '10' },
    })
  }
}
