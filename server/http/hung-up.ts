import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Why work ended for which nobody waits. */
export class HungUp extends Error {}

const signals = new WeakMap<Socket, AbortSignal>()

/** Aborts when whoever sent the request hangs up. Its own signal would abort as soon as a body has been read. */
export function hungUp({ raw: { socket } }: FastifyRequest): AbortSignal {
  const known = signals.get(socket)
  if (known) return known
  const closed = new AbortController()
  const abort = () => closed.abort(new HungUp())
  if (socket.destroyed) abort()
  else socket.once('close', abort)
  signals.set(socket, closed.signal)
  return closed.signal
}
