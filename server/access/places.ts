import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '../http/recognised.ts'
import { Problem } from '../problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back the place it was handled in. */
    leavePlace: (() => void) | null
  }
  interface FastifyContextConfig {
    /**
     * Spends its time on files or other systems, where clients take turns or wait long: it needs no place here. Whoever
     * hijacks its reply must say so, for no hook hears when such an answer begins.
     */
    waitsElsewhere?: boolean
  }
}

/**
 * So many requests about one client are handled at once, or of one caller where it is about none; the others wait
 * behind them, and not before anybody else. A place is held until the answer begins, even if nobody waits for it any
 * more: hanging up and asking again gives no second one.
 */
export function givePlaces(app: FastifyInstance): void {
  const { config, metrics, tracer } = app.parts
  const { atOnce, waiting: mostWaiting } = config.requests
  const lines = new Map<string, Line>()
  metrics.gauge('http_requests_waiting', 'Requests waiting for others of their client.', [], () => [
    [{}, [...lines.values()].reduce((sum, { waiting }) => sum + waiting.size, 0)],
  ])
  if (atOnce === 0) return

  app.decorateRequest('leavePlace', null)
  app.addHook('onRoute', (route) => {
    if (route.config?.waitsElsewhere) return
    route.preHandler = [enter, ...[route.preHandler ?? []].flat()]
    route.onSend = [leave, ...[route.onSend ?? []].flat()]
  })

  function enter(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { recognised } = request
    if (!recognised) return void done()
    const name = clientOf(recognised) ?? recognised.caller.id
    const line = lines.get(name) ?? { busy: 0, waiting: new Set() }
    lines.set(name, line)
    const begin = () => {
      line.busy++
      request.leavePlace = () => next(name, line)
      reply.hijack = () => {
        throw new Error(
          `${request.routeOptions.url} hijacks its reply and does not say that it waits elsewhere`,
        )
      }
      done()
    }
    if (line.busy < atOnce) begin()
    else if (line.waiting.size < mostWaiting) {
      const later = () => tracer.run(request.span, begin)
      line.waiting.add(later)
      reply.raw.once('close', () => line.waiting.delete(later))
    } else {
      metrics.rateLimited.inc({ policy: 'at-once' })
      done(crowded(mostWaiting))
    }
  }

  function next(name: string, line: Line): void {
    line.busy--
    const [first] = line.waiting
    if (first) {
      line.waiting.delete(first)
      first()
    } else if (line.busy === 0) lines.delete(name)
  }
}

interface Line {
  busy: number
  waiting: Set<() => void>
}

function leave<T>(request: FastifyRequest, _reply: FastifyReply, payload: T, done: Sent<T>): void {
  request.leavePlace?.()
  request.leavePlace = null
  done(null, payload)
}

type Sent<T> = (error: Error | null, payload: T) => void

const crowded = (waiting: number) =>
  new Problem(
    'rate-limited',
    `${waiting} requests about this client, or of yours, are waiting already. Send fewer at once, and go on in 1 s.`,
    { headers: { 'retry-after': '1' } },
  )
