import {
  ApiKeys,
  ApiKeyWithSecret,
  Invitation,
  Login,
  Me,
  NewApiKey,
  NewUser,
  pendingSteps,
  User,
  UserChange,
  Users,
  UserWithPassword,
} from '../../contract/access.ts'
import { SecondStep } from '../../contract/second-factor.ts'
import { PathId, Strict } from '../../contract/words.ts'
import type { App } from '../http/app.ts'
import { sessionToken } from '../http/session-cookie.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts'
import { deleteUser } from './delete-user.ts'
import { callerOf, idempotencyKeyOf, originOf, refuseOtherSites } from './door.ts'
import { enter, setSessionCookie } from './enter.ts'
import { invite } from './invitations.ts'
import { deviceOf } from './known-device.ts'
import { signIn, signOut } from './sign-in.ts'
import { changeUser, createUser, listUsers } from './users.ts'

export async function accessRoutes(app: App) {
  const { db } = app.parts

  app.post(
    '/auth/login',
    {
      schema: { summary: 'Log in', body: Login, response: { 200: Me, 202: SecondStep } },
      config: { permission: 'public', refuses: ['wrong-login', 'too-many-attempts', 'cross-site'] },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      const [origin, device] = [originOf(request), deviceOf(request)]
      const session = await signIn(app.parts, app.loginTurns, request.body, origin, device)
      if ('step' in session) return reply.code(202).send(session)
      return enter(request, reply, session)
    },
  )
  app.post(
    '/auth/logout',
    { schema: { summary: 'Log out' }, config: { permission: 'login', whilePending: pendingSteps } },
    async (request, reply) => {
      const token = sessionToken(request)
      if (token) await signOut(db, callerOf(request), token)
      setSessionCookie(request, reply, '', new Date(0))
      // Nothing stays on a machine that others use. Only over https, and localhost: elsewhere browsers do not heed it.
      reply.header('clear-site-data', '"cache"')
      return reply.code(204).send()
    },
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

  app.post(
    '/admin/users/:userId/invite',
    {
      schema: {
        summary: 'Invite a user to choose a password',
        params: Strict({ userId: PathId('user') }),
        response: { 201: Invitation },
      },
      config: { permission: 'users:write', refuses: ['not-found', 'in-use', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await invite(app.parts, callerOf(request), request.params.userId, idempotencyKeyOf(request))),
  )

  app.delete(
    '/admin/users/:userId',
    {
      schema: {
        summary: 'Delete a user',
        description: 'Their sessions end. What they did stays under their id; keys they made go on.',
        params: Strict({ userId: PathId('user') }),
      },
      config: { permission: 'users:write', refuses: ['not-found', 'in-use'] },
    },
    async (request, reply) => {
      await deleteUser(db, callerOf(request), request.params.userId)
      return reply.code(204).send()
    },
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
