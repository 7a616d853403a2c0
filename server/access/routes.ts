import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  ApiKeys,
  ApiKeyWithSecret,
  Login,
  Me,
  NewApiKey,
  NewUser,
  User,
  UserChange,
  Users,
  UserWithPassword,
} from '../../contract/access.ts'
import { PathId, Strict } from '../../contract/words.ts'
import type { App } from '../http/app.ts'
import { cookieName, isHttps, sessionToken } from '../http/session-cookie.ts'
import type { Caller } from '../library.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts'
import { callerBySession } from './callers.ts'
import { callerOf, idempotencyKeyOf, originOf, refuseOtherSites } from './door.ts'
import { deviceOf, markDevice } from './known-device.ts'
import { signIn, signOut } from './sign-in.ts'
import { accountOf, openTurns } from './throttle.ts'
import { changeUser, createUser, listUsers } from './users.ts'

export async function accessRoutes(app: App) {
  const { db } = app.parts
  const turns = openTurns()

  app.post(
    '/auth/login',
    {
      schema: { summary: 'Log in', body: Login, response: { 200: Me } },
      config: { permission: 'public', refuses: ['wrong-login', 'too-many-attempts', 'cross-site'] },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      const origin = originOf(request)
      const device = deviceOf(request)
      const { token, expiresAt } = await signIn(db, turns, request.body, origin, device)
      const { caller } = (await callerBySession(db, token))!
      const old = sessionToken(request)
      if (old) await signOut(db, { ...caller, origin }, old)
      setCookie(request, reply, token, expiresAt)
      markDevice(request, reply, device, accountOf(request.body.email))
      return toMe(caller)
    },
  )
  app.post(
    '/auth/logout',
    { schema: { summary: 'Log out' }, config: { permission: 'login' } },
    async (request, reply) => {
      const token = sessionToken(request)
      if (token) await signOut(db, callerOf(request), token)
      setCookie(request, reply, '', new Date(0))
      // Nothing stays on a machine that others use. Only over https, and localhost: elsewhere browsers do not heed it.
      reply.header('clear-site-data', '"cache"')
      return reply.code(204).send()
    },
  )
  app.get(
    '/auth/me',
    { schema: { summary: 'Who is logged in', response: { 200: Me } }, config: { permission: 'login' } },
    async (request) => toMe(callerOf(request)),
  )

  app.get(
    '/admin/users',
    { schema: { summary: 'List users', response: { 200: Users } }, config: { permission: 'users:write' } },
    async () => ({
      users: await listUsers(db),
    }),
  )
  app.post(
    '/admin/users',
    {
      schema: { summary: 'Create a user', body: NewUser, response: { 201: UserWithPassword } },
      config: {
        permission: 'users:write',
        refuses: ['not-found', 'email-taken', 'weak-password', 'idempotency-key-reused'],
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createUser(db, callerOf(request), request.body, idempotencyKeyOf(request))),
  )
  app.patch(
    '/admin/users/:userId',
    {
      schema: {
        summary: 'Change a user',
        params: Strict({ userId: PathId('user') }),
        body: UserChange,
        response: { 200: User },
      },
      config: { permission: 'users:write', refuses: ['not-found', 'weak-password', 'in-use'] },
    },
    async (request) => changeUser(db, callerOf(request), request.params.userId, request.body),
  )

  app.get(
    '/admin/api-keys',
    {
      schema: { summary: 'List API keys', response: { 200: ApiKeys } },
      config: { permission: 'keys:write' },
    },
    async () => ({
      apiKeys: await listApiKeys(db),
    }),
  )
  app.post(
    '/admin/api-keys',
    {
      schema: { summary: 'Create an API key', body: NewApiKey, response: { 201: ApiKeyWithSecret } },
      config: { permission: 'keys:write', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createApiKey(db, callerOf(request), request.body, idempotencyKeyOf(request))),
  )
  app.delete(
    '/admin/api-keys/:keyId',
    {
      schema: { summary: 'Delete an API key', params: Strict({ keyId: PathId('key') }) },
      config: { permission: 'keys:write', refuses: ['not-found'] },
    },
    async (request, reply) => {
      await deleteApiKey(db, callerOf(request), request.params.keyId)
      return reply.code(204).send()
    },
  )
}

function setCookie(request: FastifyRequest, reply: FastifyReply, token: string, expires: Date) {
  const { parts } = request.server
  reply.setCookie(cookieName(parts), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(parts),
    expires,
  })
}

const toMe = (caller: Caller): Me => ({
  kind: caller.kind === 'key' ? 'key' : 'user',
  id: caller.id,
  name: caller.name,
  email: caller.email,
  role: caller.role,
  permissions: [...caller.permissions],
  clientId: caller.clientId,
})
