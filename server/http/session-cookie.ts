import type { FastifyRequest } from 'fastify'
import type { Parts } from '../library.ts'

export const isHttps = (parts: Parts) => parts.config.publicUrl.startsWith('https:')
export const cookieName = (parts: Parts) => (isHttps(parts) ? '__Host-session' : 'session')
export const sessionToken = (request: FastifyRequest) => request.cookies[cookieName(request.server.parts)]
