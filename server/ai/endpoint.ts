import { setTimeout as pause } from 'node:timers/promises'
import { openLane } from '../jobs/lane.ts'
import { type OutboundAnswer, OutboundFailure, openOutbound } from '../outbound/outbound.ts'
import { pauseAskedFor, retryAfter } from '../outbound/retry-after.ts'
import { type Metrics, timed } from '../telemetry/metrics.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import { Brake } from './brake.ts'
import { aiFailed, aiUnavailable, isAiProblem } from './errors.ts'

export interface Asking {
  /** How long all of it may take, the wait for a turn included. */
  seconds: number
  /** How often it is asked at most. 1: whoever waits would rather do without. */
  tries?: number | undefined
  signal?: AbortSignal | undefined
}

export type AiCall = 'chat' | 'embeddings'

const paths: Record<AiCall, string> = { chat: '/chat/completions', embeddings: '/embeddings' }
const largestBytes = { chat: 256 * 1024, embeddings: 16 * 1024 ** 2 }
/** A picture takes a model seconds; the words of a search must not wait behind pictures. */
const atOnce = { chat: 2, embeddings: 4 }
const triesAtMost = 3
/** A longer pause is not waited for here, but told to whoever asked. */
const longestPause = 10
const longestSaid = 200

interface Watch {
  metrics?: Metrics | undefined
  tracer?: Tracer | undefined
}

/** An address that the operator chose: it may be a private one, and it alone is called. Redirects are not followed. */
export function openEndpoint({ baseUrl, key }: { baseUrl: string; key: string }, watch: Watch) {
  const { host, hostname, port, protocol } = new URL(baseUrl)
  const allow = [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`]
  const outbound = openOutbound({ allow, ...watch })
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const brake = new Brake()
  const lanes = { chat: openLane(atOnce.chat), embeddings: openLane(atOnce.embeddings) }

  function post(call: AiCall, body: object, signal: AbortSignal) {
    return outbound.send({
      method: 'POST',
      url: `${baseUrl}${paths[call]}`,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      largestBytes: largestBytes[call],
      // A model says nothing for as long as it thinks.
      idleSeconds: 600,
      signal,
    })
  }

  /** One answer, asked for as often as it is worth it. */
  async function persist(call: AiCall, body: object, asking: Asking, signal: AbortSignal) {
    const tries = asking.tries ?? triesAtMost
    for (let attempt = 1; ; attempt++) {
      if (brake.holds() > 0) throw aiUnavailable('it did not answer before', brake.holds())
      const refused = await post(call, body, signal).then(
        (answer) => (isAway(answer) ? waitsFor(answer) : answer),
        (error: unknown) => whyNot(error),
      )
      if ('status' in refused) {
        brake.worked()
        return refused
      }
      asking.signal?.throwIfAborted()
      const { seconds, why, cause, isLasting } = refused
      if (seconds === undefined) brake.failed()
      else brake.pause(seconds)
      signal.throwIfAborted()
      const wait = seconds === undefined ? 2 ** (attempt - 1) / 2 : pauseAskedFor(seconds)
      if (isLasting || attempt >= tries || wait > longestPause)
        throw aiUnavailable(why, seconds ?? brake.holds(), cause)
      await pause(wait * 1000, undefined, { signal })
    }
  }

  async function ask(call: AiCall, body: object, asking: Asking): Promise<unknown> {
    const late = AbortSignal.timeout(asking.seconds * 1000)
    const signal = AbortSignal.any([late, ...(asking.signal ? [asking.signal] : [])])
    try {
      return read(await lanes[call](() => persist(call, body, asking, signal), { signal }))
    } catch (error) {
      if (late.aborted && !isAiProblem(error))
        throw aiUnavailable(`no answer within ${asking.seconds} seconds`, 30, error)
      throw error
    }
  }

  return {
    host,
    ask: (call: AiCall, body: object, asking: Asking): Promise<unknown> =>
      timed(
        () => ask(call, body, asking),
        (seconds, error) => watch.metrics?.aiSeconds.observe({ call, outcome: outcomeOf(error) }, seconds),
      ),

    /** Whether it is there and takes the key. It is asked for its models, which costs nothing. */
    async check(): Promise<void> {
      const answer = await outbound
        .send({ method: 'GET', url: `${baseUrl}/models`, headers, wants: 'beginning', totalSeconds: 2.5 })
        .catch((error: unknown) => {
          throw aiUnavailable(whyNot(error).why, 30, error)
        })
      if (answer.status === 401 || answer.status === 403)
        throw aiFailed('does not take the key', said(answer))
      if (answer.status >= 500) throw aiUnavailable(`it answered ${answer.status}`, 30, said(answer))
    },
  }
}

const outcomeOf = (error: unknown) =>
  error === undefined ? 'answered' : isAiProblem(error) && error.code === 'ai-failed' ? 'refused' : 'failed'

const isAway = ({ status }: OutboundAnswer) => status === 408 || status === 429 || status >= 500

interface NoAnswer {
  why: string
  /** How long it asks us to wait. */
  seconds?: number | undefined
  /** Asking again is of no use. */
  isLasting?: boolean
  cause?: unknown
}

const waitsFor = (answer: OutboundAnswer): NoAnswer => ({
  why: answer.status === 429 ? 'it asks us to slow down' : `it answered ${answer.status}`,
  seconds: retryAfter(answer.headers['retry-after']),
  cause: said(answer),
})

function whyNot(cause: unknown): NoAnswer {
  if (!(cause instanceof OutboundFailure)) throw cause
  const isLasting = cause.reason.code === 'answer-too-long'
  return { why: cause.message.replace(/\.$/, ''), cause, isLasting }
}

function read(answer: OutboundAnswer): unknown {
  const { status, text } = answer
  if (status >= 300 && status < 400)
    throw aiFailed('sends us elsewhere, and we do not go there', said(answer))
  if (status < 200 || status >= 300) throw aiFailed(`refused the request (${status})`, said(answer))
  try {
    return JSON.parse(text)
  } catch {
    throw aiFailed('answered something that is not JSON')
  }
}

const said = ({ status, text }: OutboundAnswer) => new SaidNo(status, text)

/** Its own words, for the log alone: one line, and nothing in it that could be a picture. */
export class SaidNo extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    const words = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').replaceAll(/[\w+/=-]{40,}/g, '…')
    super(`${status} ${words.slice(0, longestSaid)}`)
    this.status = status
  }
}
