import type { FastifyRequest } from 'fastify'
import {
  ChangedMe,
  EndedSessions,
  Me,
  MeChange,
  PasswordChange,
  pendingSteps,
  Sessions,
} from '../../contract/access.ts'
import { PathId, Strict } from '../../contract/words.ts'
import type { App } from '../http/app.ts'
import { changeOwn, changePassword, ownerOf, provePassword } from './account.ts'
import { callerOf, recognise, unauthenticated } from './door.ts'
import { toMe } from './enter.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { namedClientsOf } from './visible.ts'

/** What people look after themselves, operators and clients alike. */
export async function accountRoutes(app: App) {
  const { parts } = app
  const { db } = parts

  app.get(
    '/auth/me',
    {
      schema: { summary: 'Who is logged in', response: { 200: Me } },
      config: { permission: 'login', whilePending: pendingSteps },
    },
    async (request) => {
      const me = toMe(request.recognised!)
      return me.kind === 'key' ? { ...me, clients: await namedClientsOf(db, callerOf(request)) } : me
    },
  )
  app.patch(
    '/auth/me',
    {
      schema: {
        summary: 'Change your name, e-mail or language',
        body: MeChange,
        response: { 200: ChangedMe },
      },
      config: {
        permission: 'account',
        refuses: ['wrong-password', 'email-taken', 'too-many-attempts'],
      },
    },
    async (request) => {
      const { email, password } = request.body
      const owner = email === undefined ? ownerOf(request) : await provePassword(request, password ?? '')
      const emailToConfirm = await changeOwn(parts, owner, request.body)
      return { ...(await asChanged(request)), emailToConfirm }
    },
  )
  app.post(
    '/auth/password',
    {
      schema: { summary: 'Change your password', body: PasswordChange, response: { 200: Me } },
      config: {
        permission: 'account',
        whilePending: pendingSteps,
        refuses: ['wrong-password', 'weak-password', 'too-many-attempts'],
      },
    },
    async (request) => {
      const owner = await provePassword(request, request.body.current)
      await changePassword(parts, owner, request.body)
      return asChanged(request)
    },
  )

  app.get(
    '/auth/sessions',
    {
      schema: { summary: 'Where you are logged in', response: { 200: Sessions } },
      config: { permission: 'account' },
    },
    async (request) => ({
      sessions: await listSessions(db, callerOf(request), request.recognised!.session!.id),
    }),
  )
  app.delete(
    '/auth/sessions',
    {
      schema: { summary: 'Log out everywhere else', response: { 200: EndedSessions } },
      config: { permission: 'account' },
    },
    async (request) => ({
      ended: await endOtherSessions(db, callerOf(request), request.recognised!.session!.id),
    }),
  )
  app.delete(
    '/auth/sessions/:sessionId',
    {
      schema: { summary: 'End one of your sessions', params: Strict({ sessionId: PathId('session') }) },
      config: { permission: 'account', refuses: ['not-found'] },
    },
    async (request, reply) => {
      await endSession(db, callerOf(request), request.params.sessionId)
      return reply.code(204).send()
    },
  )
}

/** A change that was made stands, also where the session has ended meanwhile. */
async function asChanged(request: FastifyRequest): Promise<Me> {
  const recognised = await recognise(request)
  if (!recognised) throw unauthenticated()
  return toMe(recognised)
}
