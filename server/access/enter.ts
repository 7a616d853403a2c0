import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Me } from '../../contract/access.ts'
import type { Recognised } from '../http/recognised.ts'
import { cookieName, isHttps, sessionToken } from '../http/session-cookie.ts'
import { callerBySession } from './callers.ts'
import { originOf } from './door.ts'
import { deviceOf, markDevice } from './known-device.ts'
import { wrongLogin } from './let-in.ts'
import type { NewSession } from './sessions.ts'
import { signOut } from './sign-in.ts'
import { accountOf } from './throttle.ts'

/** The end of every way in: the browser gets its session, in place of the one it had, and is known from now on. */
export async function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, expiresAt }: NewSession,
): Promise<Me> {
  const { db } = request.server.parts
  const recognised = await callerBySession(request.server.parts, token)
  if (!recognised) throw wrongLogin()
  const { caller } = recognised
  const old = sessionToken(request)
  if (old) await signOut(db, { ...caller, origin: originOf(request) }, old)
  setSessionCookie(request, reply, token, expiresAt)
  markDevice(request, reply, deviceOf(request), accountOf(caller.email!))
  return toMe(recognised)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  expires: Date,
): void {
  const { parts } = request.server
  reply.setCookie(cookieName(parts), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(parts),
    expires,
  })
}

export const toMe = ({ caller, session }: Recognised): Me => ({
  kind: caller.kind === 'key' ? 'key' : 'user',
  id: caller.id,
  name: caller.name,
  email: caller.email,
  role: caller.role,
  permissions: [...caller.permissions],
  clientId: caller.clientId,
  language: session?.language ?? null,
  pending: session?.pending ?? null,
})
