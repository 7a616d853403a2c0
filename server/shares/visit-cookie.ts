import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHttps } from '../http/session-cookie.ts'
import { hashToken } from '../secrets.ts'
import type { ShareLinkRow } from './share-link.ts'

const hours = 12
const name = 'share'

type Link = Pick<ShareLinkRow, 'id' | 'password_hash'>

/** Whether this browser was let in by this very link, lately. */
export function hasVisit(request: FastifyRequest, link: Link): boolean {
  const cookie = request.cookies[name]
  if (!cookie || cookie.length > 1000) return false
  try {
    const { share, until } = JSON.parse(request.server.parts.sealer.open(cookie))
    return share === markOf(link) && until > Date.now()
  } catch {
    return false
  }
}

/** Sent back for the addresses of this link alone. */
export function startVisit(request: FastifyRequest, reply: FastifyReply, token: string, link: Link): void {
  const { parts } = request.server
  const until = Date.now() + hours * 3_600_000
  reply.setCookie(name, parts.sealer.seal(JSON.stringify({ share: markOf(link), until })), {
    path: `/s/${token}`,
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(parts),
    maxAge: hours * 3600,
  })
}

/** A visit ends with the password it was begun with. */
const markOf = ({ id, password_hash }: Link) => hashToken(`${id} ${password_hash ?? ''}`)
