import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import {
  AuthorizationRequest,
  ConnectedAgents,
  ConsentAnswer,
  Consented,
  ConsentQuestion,
} from '../../contract/agent-sign-in.ts'
import { PathId, Strict } from '../../contract/words.ts'
import { callerOf, idempotencyKeyOf, originOf } from '../access/door.ts'
import { answerProblem, asProblem } from '../http/answers.ts'
import type { App } from '../http/app.ts'
import { answerPreflight } from '../http/other-sites.ts'
import { Problem } from '../problems.ts'
import { disconnectAgent, listAgents } from './agents.ts'
import { openApps } from './apps.ts'
import { answerConsent, questionFor } from './consent.ts'
import { refuseOtherResource, resourceMetadata, serverMetadata } from './metadata.ts'
import { registerApp } from './registration.ts'
import { revokeToken, tokensForCode, tokensForRefresh } from './tokens.ts'

/** What people say and see: whom they let in, and for what. */
export async function agentSignInRoutes(app: App) {
  const { parts } = app
  const { db } = parts
  const apps = openApps(parts)

  app.get(
    '/oauth/consent',
    {
      schema: {
        summary: 'Read what an agent that wants to sign in asks for',
        querystring: AuthorizationRequest,
        response: { 200: ConsentQuestion },
      },
      config: { permission: 'account', refuses: refusedRequests, waitsElsewhere: true },
    },
    async (request) => questionFor(parts, apps, callerOf(request), request.query),
  )
  app.post(
    '/oauth/consent',
    {
      schema: { summary: 'Let an agent sign in, or not', body: ConsentAnswer, response: { 200: Consented } },
      config: {
        permission: 'account',
        refuses: [...refusedRequests, 'not-found', 'too-many-agents', 'idempotency-key-reused'],
        waitsElsewhere: true,
      },
    },
    async (request) => answerConsent(parts, apps, callerOf(request), request.body, idempotencyKeyOf(request)),
  )
  for (const agents of ['/admin/agents', '/portal/connected-agents'] as const) {
    app.get(
      agents,
      {
        schema: {
          summary: 'List connected agents',
          description: 'Agents that signed in: your own, and everybody’s for those who look after API keys.',
          response: { 200: ConnectedAgents },
        },
        config: { permission: 'account' },
      },
      async (request) => ({ agents: await listAgents(db, callerOf(request)) }),
    )
    app.delete(
      `${agents}/:agentId`,
      {
        schema: { summary: 'Disconnect an agent', params: Strict({ agentId: PathId('key') }) },
        config: { permission: 'account', refuses: ['not-found'] },
      },
      async (request, reply) => {
        await disconnectAgent(db, callerOf(request), request.params.agentId)
        return reply.code(204).send()
      },
    )
  }
}

const refusedRequests = [
  'invalid-client',
  'invalid-client-metadata',
  'invalid-redirect-uri',
  'invalid-target',
] as const

const said = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** Whatever else a program says is not needed, and no reason to refuse it. */
const TokenRequest = Type.Object({
  grant_type: Type.String({ maxLength: 100 }),
  client_id: Type.String({ maxLength: 500 }),
  resource: said(500),
  code: said(200),
  redirect_uri: said(500),
  code_verifier: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' })),
  refresh_token: said(200),
})

const serverMetadataPath = '/.well-known/oauth-authorization-server'
const resourceMetadataPaths = ['', '/mcp'].map((path) => `/.well-known/oauth-protected-resource${path}`)
/** Programs that run in a page call these from there: they take no cookies, and say nothing to one page that they keep from another. */
const publicPaths = [
  serverMetadataPath,
  ...resourceMetadataPaths,
  '/oauth/register',
  '/oauth/token',
  '/oauth/revoke',
]

const largestForm = 16 * 1024

/** What programs say, in OAuth's own words and forms. */
export async function oauthRoutes(app: App) {
  const { parts } = app
  const { db, config } = parts
  const hidden = { schema: { hide: true }, config: { permission: 'public' } } as const
  const forPages = { ...hidden, config: { ...hidden.config, pages: 'any' } } as const

  app.setErrorHandler(answerInTheirWords)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    async (_request: FastifyRequest, text: string) => readForm(text),
  )

  for (const path of publicPaths) answerPreflight(app, path, 'any')
  for (const path of resourceMetadataPaths) app.get(path, forPages, async () => resourceMetadata(config))
  app.get(serverMetadataPath, forPages, async () => serverMetadata(config))

  // Whoever asks, and for what, is looked at when a person is there to be asked: nobody else makes us read other systems.
  app.get('/oauth/authorize', hidden, async (request, reply) => {
    const [, search = ''] = request.url.split(/\?(.*)/s)
    return reply.redirect(`/app/connect-agent?request=${Buffer.from(search).toString('base64url')}`)
  })
  app.post('/oauth/register', { ...forPages, bodyLimit: largestForm }, async (request, reply) =>
    reply.code(201).send(await registerApp(db, request.body, originOf(request))),
  )
  app.post(
    '/oauth/token',
    { ...forPages, schema: { hide: true, body: TokenRequest }, bodyLimit: largestForm },
    async (request) => {
      refuseOtherResource(config, request.body.resource)
      return tokensFor(request.body, request)
    },
  )
  app.post(
    '/oauth/revoke',
    {
      ...forPages,
      schema: {
        hide: true,
        body: Type.Object({
          token: Type.String({ maxLength: 200 }),
          client_id: Type.String({ maxLength: 500 }),
        }),
      },
      bodyLimit: largestForm,
    },
    async (request, reply) => {
      await revokeToken(db, request.body.token, request.body.client_id, originOf(request))
      return reply.code(200).send()
    },
  )

  function tokensFor(input: Static<typeof TokenRequest>, request: FastifyRequest) {
    const { grant_type, client_id, code, redirect_uri, code_verifier, refresh_token } = input
    const origin = originOf(request)
    switch (grant_type) {
      case 'authorization_code':
        if (!code || !redirect_uri || !code_verifier) throw missing('code, redirect_uri and code_verifier')
        return tokensForCode(parts, { client_id, code, redirect_uri, code_verifier }, origin)
      case 'refresh_token':
        if (!refresh_token) throw missing('refresh_token')
        return tokensForRefresh(parts, { client_id, refresh_token }, origin)
      default:
        throw new Problem('unsupported-grant-type', 'Send authorization_code or refresh_token as grant_type.')
    }
  }
}

const missing = (what: string) => new Problem('invalid-request', `Send ${what}.`)

function readForm(text: string): Record<string, string> {
  const pairs = [...new URLSearchParams(text)]
  const form = Object.fromEntries(pairs)
  if (Object.keys(form).length < pairs.length)
    throw new Problem('invalid-request', 'Send each parameter once.')
  return form
}

/** Our problems, with the members that OAuth's clients look for (RFC 6749, 5.2). */
function answerInTheirWords(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { code, message, extra, headers, cause } = asProblem(error)
  return answerProblem(
    new Problem(code, message, {
      cause,
      headers: { ...headers, 'content-type': 'application/json' },
      extra: {
        ...extra,
        error: code.replaceAll('-', '_'),
        error_description: message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'"),
      },
    }) as never,
    request,
    reply,
  )
}
