import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../http/caller-address.ts'
import { probes } from '../http/probes.ts'
import type { Caller } from '../library.ts'
import { Problem } from '../problems.ts'
import { networkOf } from './network.ts'

export interface RateLimits {
  /** A caller's own limit, and that of the client it is about. A request that is many counts as many. */
  countCaller(reply: FastifyReply, caller: Caller, clientId: string | null, calls?: number): void
  /** Who has not shown who it is counts by its address. */
  countStranger(request: FastifyRequest, reply: FastifyReply): void
  /** All who hold the address of one link, together. */
  countLink(reply: FastifyReply, linkId: string): void
}

/** Where files are put, the URL was counted when it was given. */
const free = new Set([...probes, '/objects/*'])

/**
 * Holds each user, key, client and address to its requests a minute. Counted in this process: a second node gives
 * as much again.
 */
export function openRateLimits(app: FastifyInstance): RateLimits {
  const { metrics, config } = app.parts
  const { rateLimits } = config
  const principal = new Allowance('principal', rateLimits.principal)
  const client = new Allowance('client', rateLimits.client)
  const address = new Allowance('address', rateLimits.address)
  const link = new Allowance('link', rateLimits.link)
  const forgetting = setInterval(() => {
    for (const allowance of [principal, client, address, link]) allowance.forgetWhole(Date.now())
  }, minute).unref()
  app.addHook('onClose', async () => clearInterval(forgetting))

  /** From all or from none: a request refused by one limit does not use up another. */
  function take(reply: FastifyReply, wanted: Wanted[], calls = 1): void {
    const set = wanted.filter(([allowance]) => allowance.perMinute > 0)
    if (set.length === 0) return
    const now = Date.now()
    const empty = set.find(([allowance, name]) => allowance.waitFor(name, now, calls) > 0)
    if (!empty) for (const [allowance, name] of set) allowance.take(name, now, calls)
    reply.header('ratelimit-policy', set.map(([allowance]) => allowance.policy).join(', '))
    reply.header('ratelimit', set.map(([allowance, name]) => allowance.state(name, now)).join(', '))
    if (!empty) return
    const [allowance, name] = empty
    metrics.rateLimited.inc({ policy: allowance.name })
    throw rateLimited(allowance, Math.ceil(allowance.waitFor(name, now, calls) / 1000))
  }

  return {
    countCaller: (reply, caller, clientId, calls) =>
      take(
        reply,
        clientId
          ? [
              [principal, caller.id],
              [client, clientId],
            ]
          : [[principal, caller.id]],
        calls,
      ),
    countStranger(request, reply) {
      if (!free.has(request.routeOptions.url ?? ''))
        take(reply, [[address, networkOf(callerAddress(request))]])
    },
    countLink: (reply, linkId) => take(reply, [[link, linkId]]),
  }
}

type Wanted = [Allowance, name: string]

const minute = 60_000

/** So many a minute, at once or spread; what was taken comes back steadily. */
class Allowance {
  readonly name: string
  readonly perMinute: number
  readonly policy: string
  readonly #step: number
  /** When each name will have all of it again. */
  readonly #wholeAt = new Map<string, number>()

  constructor(name: string, perMinute: number) {
    this.name = name
    this.perMinute = perMinute
    this.policy = `"${name}";q=${perMinute};w=60`
    this.#step = minute / perMinute
  }

  /** Milliseconds until so many can be taken. */
  waitFor(name: string, now: number, calls = 1): number {
    return Math.max(0, this.#owed(name, now) + calls * this.#step - minute)
  }

  take(name: string, now: number, calls = 1): void {
    this.#wholeAt.set(name, now + this.#owed(name, now) + calls * this.#step)
  }

  state(name: string, now: number): string {
    const owed = this.#owed(name, now)
    return `"${this.name}";r=${Math.floor((minute - owed) / this.#step)};t=${Math.ceil(owed / 1000)}`
  }

  forgetWhole(now: number): void {
    for (const [name, wholeAt] of this.#wholeAt) if (wholeAt <= now) this.#wholeAt.delete(name)
  }

  #owed(name: string, now: number): number {
    return Math.max(0, (this.#wholeAt.get(name) ?? 0) - now)
  }
}

const whose: Record<string, string> = {
  principal: 'You have',
  client: 'The people and agents of this client together have',
  address: 'Your address has',
  link: 'All who were given this link have',
}

const rateLimited = ({ name, perMinute }: Allowance, seconds: number) =>
  new Problem(
    'rate-limited',
    `${whose[name]} sent more than ${perMinute} requests in a minute. Go on in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  )
