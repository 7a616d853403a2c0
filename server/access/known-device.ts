import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHttps } from '../http/session-cookie.ts'
import type { Parts } from '../library.ts'

/** A browser that somebody has logged in with, and the accounts they did so for. It opens nothing. */
export interface Device {
  id: string
  accounts: string[]
}

const mostAccounts = 8
const longestMark = 2000
const year = 365 * 86_400_000

const cookieName = (parts: Parts) => (isHttps(parts) ? '__Host-device' : 'device')

/** What the mark of this browser says, if it is one of ours. */
export function deviceOf(request: FastifyRequest): Device | undefined {
  const { parts } = request.server
  const mark = request.cookies[cookieName(parts)]
  if (!mark || mark.length > longestMark) return undefined
  try {
    const { device } = JSON.parse(parts.sealer.open(mark)) as { device?: Device }
    return device
  } catch {
    return undefined
  }
}

/** Marks this browser as one in which this account was logged in. */
export function markDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  known: Device | undefined,
  account: string,
): void {
  const { parts } = request.server
  const others = (known?.accounts ?? []).filter((other) => other !== account)
  const device: Device = {
    id: known?.id ?? randomBytes(16).toString('hex'),
    accounts: [account, ...others].slice(0, mostAccounts),
  }
  reply.setCookie(cookieName(parts), parts.sealer.seal(JSON.stringify({ device })), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(parts),
    expires: new Date(Date.now() + year),
  })
}
