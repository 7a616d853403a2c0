import type { FastifyRequest } from 'fastify'
import { sessionToken } from '../../http/session-cookie.ts'
import { Problem } from '../../problems.ts'

/** The session that a sign-in is begun and finished in. */
export function sessionOf(request: FastifyRequest): string {
  const session = sessionToken(request)
  if (!session) throw new Problem('forbidden', 'Only a person can sign in. Log in with a browser.')
  return session
}
