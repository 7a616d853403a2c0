import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHttps } from '../../http/session-cookie.ts'
import type { Parts } from '../../library.ts'
import { minutes } from './sign-on.ts'

const cookieName = (parts: Parts) => (isHttps(parts) ? '__Host-sign-on' : 'sign-on')

/** What only the browser that went to the provider knows. */
export const rememberedBrowser = (parts: Parts, request: FastifyRequest) =>
  request.cookies[cookieName(parts)] ?? ''

/** Lax: the way back from the provider begins at another site. */
export const rememberBrowser = (parts: Parts, reply: FastifyReply, browser: string) =>
  reply.setCookie(cookieName(parts), browser, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(parts),
    maxAge: browser ? minutes * 60 : 0,
  })
