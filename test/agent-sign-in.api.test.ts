import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { sql } from 'kysely'
import { allowInsecureRequests, discovery, None, refreshTokenGrant, tokenRevocation } from 'openid-client'
import { expect, onTestFinished, test } from 'vitest'
import { agentPermissions } from '../contract/agent-sign-in.ts'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import {
  type AgentApp,
  agentApp,
  answers,
  connects,
  leadsTo,
  redirectUri,
  registeredApp,
} from './agent-app.ts'
import { connects as listens } from './mcp-clients.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { ownWorld } from './world.ts'

/** Where programs say who they are. */
const site = createServer((request, response) => {
  const answer = pages.get(request.url!)
  asked.push(request.url!)
  response.writeHead(answer ? answer.status : 404, {
    'content-type': answer?.type ?? 'application/json',
    location: '/claude',
  })
  response.end(typeof answer?.said === 'string' ? answer.said : JSON.stringify(answer?.said))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
site.unref()
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
const pages = new Map<string, { status: number; said: unknown; type?: string }>()
const asked: string[] = []

const page = 'http://localhost:6274'
const w = await ownWorld({ OUTBOUND_ALLOW: host, AGENT_ORIGINS: page })
const { db } = w.parts
const acme = await w.newClient('Acme')
const bolt = await w.newClient('Bolt')
const shot = await acme.operator.uploads()
// Registrations from one place are counted: tests that need their own program share two.
const [app, otherApp] = [await registeredApp(w.url), await registeredApp(w.url, 'Other')]
const all = { clientIds: [acme.clientId], permissions: [...agentPermissions] }

/** Says something the way a program with this token does. */
async function says(token: string, method: string, params: object, session: Record<string, string> = {}) {
  const answer = await fetch(`${w.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const body = await answer.json()
  return { status: answer.status, said: JSON.stringify(body.result ?? body) }
}

const calls = (token: string, name = 'search_assets', args: object = {}) =>
  says(token, 'tools/call', { name, arguments: args })

const isIn = async (token: string) => (await calls(token)).status === 200

const form = async (path: string, said: Record<string, string> | [string, string][]) => {
  const answer = await fetch(w.url + path, { method: 'POST', body: new URLSearchParams(said) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null }
}
const refused = (error: string, status = 400) =>
  expect.objectContaining({
    status,
    body: expect.objectContaining({
      error,
      error_description: expect.any(String),
      code: error.replaceAll('_', '-'),
    }),
  })
const refreshes = (from: AgentApp, token: string) =>
  refreshTokenGrant(from.config, token, { resource: from.resource })

/** Somebody of their own, for what happens to them. */
async function operatorOf(...clientIds: string[]) {
  const { operator } = await w.newClient()
  await w.admin.patch(`/admin/users/${operator.id}`, { clientIds })
  return operator
}

test('the SDK’s own client finds the way in by itself, and a person decides what it may do there', async () => {
  const kept: { app?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; url?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://localhost:4711/callback',
    clientMetadata: { client_name: 'Desk agent', redirect_uris: ['http://localhost/callback'] },
    clientInformation: () => kept.app,
    saveClientInformation: (app) => void Object.assign(kept, { app }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier!,
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
  }
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', w.url), { authProvider: provider })
  const first = transport()
  await expect(new Client({ name: 'tests', version: '1' }).connect(first)).rejects.toThrow(/Unauthorized/)

  const page = await leadsTo(kept.url!)
  expect(page.pathname).toBe('/app/connect-agent')
  const question = await acme.operator.get(`/oauth/consent${page.search}`)
  expect(question.body).toEqual({
    agent: { name: 'Desk agent', host: null, redirectHost: 'localhost:4711', isOnThisDevice: true },
    clients: [{ clientId: acme.clientId, name: 'Acme' }],
    permissions: agentPermissions,
    asked: agentPermissions,
  })
  const { body } = await answers(acme.operator, kept.url!, all)
  const back = new URL(body.redirectTo)
  expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.any(String), iss: w.url })
  await first.finishAuth(back.searchParams.get('code')!)
  expect(kept.tokens).toMatchObject({
    token_type: 'Bearer',
    expires_in: 900,
    scope: agentPermissions.join(' '),
  })

  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(transport())
  onTestFinished(() => client.close())
  const found = await client.callTool({ name: 'search_assets', arguments: {} })
  expect(JSON.stringify(found)).toContain(shot.assetId)

  // A token that is over leads to the next one, and nobody is asked.
  await db
    .updateTable('agent_tokens')
    .set({ expires_at: sql<Date>`now()` })
    .where('purpose', '=', 'access')
    .execute()
  const before = kept.tokens!
  expect((await client.callTool({ name: 'search_assets', arguments: {} })).isError).toBeFalsy()
  expect(kept.tokens!.access_token).not.toBe(before.access_token)
  expect(kept.tokens!.refresh_token).not.toBe(before.refresh_token)

  const { body: listed } = await acme.operator.get('/admin/agents')
  expect(listed.agents).toEqual([
    {
      agentId: expect.stringMatching(/^key_/),
      name: 'Desk agent',
      host: 'localhost:4711',
      isVerified: false,
      person: { userId: acme.operator.id, name: 'operator' },
      clientIds: [acme.clientId],
      permissions: agentPermissions,
      connectedAt: expect.any(String),
      lastUsedAt: expect.any(String),
    },
  ])
  const { agentId } = listed.agents[0]
  const uses = await w.admin.get(`/admin/audit?principalId=${acme.operator.id}&limit=5`)
  expect(uses.body.entries[0]).toMatchObject({
    action: 'agent.connected',
    thing: agentId,
    name: 'Desk agent',
  })
  expect(
    (await w.admin.get('/admin/api-keys')).body.apiKeys.map((key: { keyId: string }) => key.keyId),
  ).not.toContain(agentId)
  expect(await w.admin.delete(`/admin/api-keys/${agentId}`), 'no key that anybody holds').toEqual(
    refusal('not-found'),
  )

  // An open stream ends with it, and so does the next request.
  const session = { 'mcp-session-id': newId('key') }
  const { access_token: token } = kept.tokens!
  const uri = `asset://${acme.clientId}/${shot.assetId}`
  expect((await says(token, 'resources/subscribe', { uri }, session)).status).toBe(200)
  await acme.operator.edits(shot.assetId, { title: 'Harbour' })
  const stream = await fetch(`${w.url}/mcp`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...session },
  })
  expect(stream.status).toBe(200)
  const told = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  while (!heard.includes(shot.assetId)) heard += (await told.read()).value ?? expect.fail(heard)
  expect((await acme.operator.delete(`/admin/agents/${agentId}`)).status).toBe(204)
  expect((await calls(token)).status).toBe(401)
  while (!(await told.read()).done);
  await expect(client.callTool({ name: 'search_assets', arguments: {} })).rejects.toThrow()
  expect((await acme.operator.get('/admin/agents')).body.agents).toEqual([])
})

test('who asks without a token is told where to begin', async () => {
  const challenge = async (headers: Record<string, string> = {}) =>
    (await fetch(`${w.url}/mcp`, { method: 'POST', headers })).headers.get('www-authenticate')
  const metadata = `${w.url}/.well-known/oauth-protected-resource/mcp`
  const where = `resource_metadata="${metadata}", scope="${agentPermissions.join(' ')}"`
  expect(await challenge()).toBe(`Bearer ${where}`)
  expect(await challenge({ authorization: 'Bearer cao_nothing' })).toBe(
    `Bearer error="invalid_token", ${where}`,
  )
  for (const address of [metadata, `${w.url}/.well-known/oauth-protected-resource`])
    expect(await (await fetch(address)).json()).toMatchObject({
      resource: `${w.url}/mcp`,
      authorization_servers: [w.url],
    })
  expect((await w.nobody.get('/admin/users')).headers.get('www-authenticate')).toBeNull()
})

test('pages that are named may talk to MCP, any may ask for a token, and neither with cookies', async () => {
  const asks = async (path: string, method: string, headers: Record<string, string>, by = w.nobody) => {
    const answer = await by.fetch(path, { method, headers })
    await answer.body?.cancel()
    const says = (name: string) => answer.headers.get(name)
    expect(says('access-control-allow-credentials'), path).toBeNull()
    return { status: answer.status, for: says('access-control-allow-origin'), says }
  }
  const forAll = ['/oauth/token', '/oauth/register', '/oauth/revoke']
  const documents = ['server', 'resource', 'resource/mcp'].map((name) =>
    name === 'server' ? '/.well-known/oauth-authorization-server' : `/.well-known/oauth-protected-${name}`,
  )
  const elsewhere = { origin: 'https://chat.example' }
  for (const path of [...forAll, ...documents]) {
    expect(await asks(path, 'OPTIONS', elsewhere), path).toMatchObject({ status: 204, for: '*' })
    const method = documents.includes(path) ? 'GET' : 'POST'
    expect((await asks(path, method, elsewhere)).for, path).toBe('*')
  }
  for (const origin of [page, w.url]) {
    const asked = await asks('/mcp', 'OPTIONS', { origin, 'access-control-request-method': 'POST' })
    expect(asked).toMatchObject({ status: 204, for: origin })
    expect(asked.says('access-control-allow-headers')).toMatch(/Authorization.*Mcp-Protocol-Version/)
    const refused = await asks('/mcp', 'POST', { origin })
    expect(refused).toMatchObject({ status: 401, for: origin })
    expect(refused.says('access-control-expose-headers')).toContain('WWW-Authenticate')
    expect(refused.says('vary')).toContain('origin')
  }
  for (const origin of ['https://chat.example', 'null', `${page}.example`])
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS'])
      expect(await asks('/mcp', method, { origin }, acme.agent), `${method} ${origin}`).toMatchObject({
        status: 403,
        for: null,
      })
  // A page of a name that somebody made to lead here calls it by that name.
  const { port } = new URL(w.url)
  const rebound = await rawRequest({
    port,
    path: '/mcp',
    host: 'evil.example',
    origin: 'http://evil.example',
  })
  expect(rebound).toBe(403)
  expect((await asks('/admin/users', 'GET', elsewhere, w.admin)).for).toBeNull()
})

/** The status of a request under a name that fetch would not send. */
const rawRequest = ({ port, path, ...headers }: { port: string; path: string; [name: string]: string }) =>
  new Promise<number | undefined>((resolve, reject) =>
    request({ port, path, method: 'POST', host: '127.0.0.1', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end(),
  )

test('a code is good once, for a minute, for one program, one address and who holds the verifier', async () => {
  const operator = await operatorOf(acme.clientId)
  const asks = async () => {
    const asked = await app.asks()
    const { body } = await answers(operator, asked.url, all)
    const code = new URL(body.redirectTo).searchParams.get('code')!
    const redeems = (more: Record<string, string> = {}) =>
      form('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: app.id,
        redirect_uri: redirectUri,
        code_verifier: asked.verifier,
        code,
        ...more,
      })
    return { asked, body, redeems }
  }
  const { asked, body, redeems } = await asks()
  for (const [more, error] of [
    [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    [{ redirect_uri: `${redirectUri}/` }, 'invalid_grant'],
    [{ client_id: otherApp.id }, 'invalid_grant'],
    [{ code: 'unknown' }, 'invalid_grant'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ code_verifier: 'short' }, 'invalid_request'],
    [{ code: '' }, 'invalid_request'],
    [{ code: 'x'.repeat(20_000) }, 'body_too_large'],
  ] as const)
    expect(await redeems(more), JSON.stringify(more).slice(0, 80)).toEqual(
      refused(error, error === 'body_too_large' ? 413 : 400),
    )
  expect(
    await form('/oauth/token', [
      ['grant_type', 'refresh_token'],
      ['grant_type', 'x'],
    ]),
  ).toEqual(refused('invalid_request'))

  const tokens = await app.takes(body.redirectTo, asked)
  expect(await isIn(tokens.access_token)).toBe(true)
  expect(await redeems(), 'a second time').toEqual(refused('invalid_grant'))
  expect(await isIn(tokens.access_token), 'what came of it is over').toBe(false)
  await expect(refreshes(app, tokens.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' })

  const late = await asks()
  await db
    .updateTable('agent_codes')
    .set({ expires_at: sql<Date>`now()` })
    .where('used_at', 'is', null)
    .execute()
  expect(await late.redeems()).toEqual(refused('invalid_grant'))

  const twice = await asks()
  const both = await Promise.all([twice.redeems(), twice.redeems()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await isIn(both.find(({ status }) => status === 200)!.body.access_token)).toBe(false)
})

test('a refresh token is good once: whoever brings a used one ends the whole access', async () => {
  const operator = await operatorOf(acme.clientId)
  const first = await connects(app, operator, all)
  const second = await refreshes(app, first.refresh_token!)
  expect(second.access_token).not.toBe(first.access_token)
  await expect(refreshes(otherApp, second.refresh_token!), 'another program').rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await expect(
    refreshTokenGrant(app.config, second.refresh_token!, { resource: 'https://other.example/' }),
  ).rejects.toMatchObject({ error: 'invalid_target' })
  expect(await isIn(second.access_token)).toBe(true)

  await expect(refreshes(app, first.refresh_token!), 'the thief').rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(await isIn(second.access_token)).toBe(false)
  await expect(refreshes(app, second.refresh_token!), 'the owner').rejects.toMatchObject({
    error: 'invalid_grant',
  })
  const { body } = await w.admin.get('/admin/audit?action=agent.disconnected&limit=1')
  expect(body.entries[0]).toMatchObject({ name: 'Helper', details: { reason: 'token-reused' } })

  const third = await connects(app, operator, all)
  await tokenRevocation(otherApp.config, third.refresh_token!)
  expect(await isIn(third.access_token), 'not by another program').toBe(true)
  await tokenRevocation(app.config, third.access_token)
  expect(await isIn(third.access_token)).toBe(false)
  const fourth = await refreshes(app, third.refresh_token!)
  await tokenRevocation(app.config, fourth.refresh_token!)
  expect(await isIn(fourth.access_token)).toBe(false)
  await tokenRevocation(app.config, 'unknown')
})

test('an agent that waits with its person uses up nothing, and goes on with what it holds when they are back', async () => {
  const operator = await operatorOf(acme.clientId)
  const changes = (change: object) => w.admin.patch(`/admin/users/${operator.id}`, change)
  const asked = await app.asks()
  const { redirectTo } = (await answers(operator, asked.url, all)).body
  const first = await connects(app, operator, all)
  const waits = { error: 'temporarily_unavailable', status: 400 }
  await changes({ isActive: false })
  for (const time of ['once', 'twice'])
    await expect(refreshes(app, first.refresh_token!), time).rejects.toMatchObject(waits)
  await expect(app.takes(redirectTo, asked), 'with a code').rejects.toMatchObject(waits)
  await changes({ isActive: true })
  expect(await isIn((await app.takes(redirectTo, asked)).access_token)).toBe(true)
  expect(await isIn(first.access_token), 'nothing was taken for stolen').toBe(true)
  const second = await refreshes(app, first.refresh_token!)

  await changes({ password: 'somebody else chose this one' })
  await expect(refreshes(app, second.refresh_token!)).rejects.toMatchObject(waits)
  await expect(refreshes(otherApp, second.refresh_token!), 'another program').rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await db.updateTable('users').set({ must_change_password: false }).where('id', '=', operator.id).execute()
  const third = await refreshes(app, second.refresh_token!)
  expect(await isIn(third.access_token)).toBe(true)

  await changes({ isActive: false })
  await expect(refreshes(app, second.refresh_token!), 'the thief').rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await changes({ isActive: true })
  expect(await isIn(third.access_token)).toBe(false)
})

test('a token opens MCP and nothing else, and no token of anything else opens it', async () => {
  const { access_token: token, refresh_token } = await connects(app, acme.operator, all)
  const agent = person(w.url, { authorization: `Bearer ${token}` })
  for (const path of [
    '/auth/me',
    `/admin/clients/${acme.clientId}/assets`,
    '/admin/agents',
    '/admin/clients',
  ])
    expect(await agent.get(path), path).toEqual(refusal('unauthenticated'))
  expect(await agent.post('/oauth/consent', {}), 'nor lets in others').toEqual(refusal('unauthenticated'))
  expect(await isIn(refresh_token!)).toBe(false)
  const asked = await app.asks({ resource: 'https://other.example/mcp' })
  expect(await answers(acme.operator, asked.url, all)).toEqual(refusal('invalid-target'))
})

test('an agent may never do more than its person may, and loses what they lose', async () => {
  const nothing = { allow: true, clientIds: [acme.clientId], permissions: agentPermissions } as const
  const ask = async (who: Person, said: object) =>
    answers(who, (await app.asks()).url, { clientIds: [acme.clientId], ...said })
  expect(await ask(acme.viewer, nothing), 'a viewer').toEqual(refusal('forbidden'))
  expect(await ask(acme.portal, { permissions: ['deliveries:write'] })).toEqual(refusal('forbidden'))
  expect(await ask(acme.operator, { clientIds: [bolt.clientId] }), 'a foreign client').toEqual(
    refusal('not-found'),
  )
  expect(await ask(acme.operator, { clientIds: [newId('client')] })).toEqual(refusal('not-found'))
  expect(await ask(acme.portal, { clientIds: [bolt.clientId] })).toEqual(refusal('not-found'))
  expect(await ask(acme.operator, { clientIds: [] })).toEqual(refusal('invalid-request'))
  expect(await ask(acme.agent, {}), 'a key is no person').toEqual(refusal('forbidden'))

  const both = await operatorOf(acme.clientId, bolt.clientId)
  const { access_token } = await connects(app, both, {
    ...all,
    clientIds: [acme.clientId, bolt.clientId],
  })
  const sees = async ({ clientId }: { clientId: string }) => {
    const { said } = await calls(access_token, 'search_assets', { clientId })
    return !said.includes('not-found')
  }
  const sends = async () =>
    (await calls(access_token, 'list_library', { clientId: acme.clientId, what: 'connections' })).said
  expect([await sees(acme), await sees(bolt)]).toEqual([true, true])
  expect(await sends()).not.toContain('forbidden')

  const shots = await Promise.all([bolt, acme].map(({ operator }) => operator.uploads(png(7, 7))))
  for (const [index, { assetId }] of shots.entries())
    await expect
      .poll(async () => (await [bolt, acme][index]!.operator.reads(assetId)).body.media.state)
      .toBe('ready')
  const [uriOfBolt, uriOfAcme] = shots.map(({ clientId, assetId }) => `asset://${clientId}/${assetId}`)
  const listening = await listens(
    '2026-07-28',
    { credentials: { authorization: `Bearer ${access_token}` } },
    w.url,
  )
  onTestFinished(() => listening.close())
  const heard: string[] = []
  await listening.follows([uriOfBolt!, uriOfAcme!], (uri) => heard.push(uri))

  const changes = (change: object) => w.admin.patch(`/admin/users/${both.id}`, change)
  await changes({ clientIds: [acme.clientId] })
  expect([await sees(acme), await sees(bolt)], 'one client less').toEqual([true, false])
  await bolt.operator.edits(shots[0]!.assetId, { title: 'Not for them' })
  await acme.operator.edits(shots[1]!.assetId, { title: 'For them' })
  await expect.poll(() => heard).toContain(uriOfAcme)
  expect(heard, 'what they follow of it already').not.toContain(uriOfBolt)
  await changes({ clientIds: [acme.clientId, bolt.clientId] })
  expect(await sees(bolt), 'what is lost is lost').toBe(false)
  await changes({ role: 'client', clientIds: [acme.clientId] })
  expect(await sends(), 'a role with less').toContain('forbidden')
  const { body } = await w.admin.get('/admin/agents')
  expect(
    body.agents.find((one: { person: { userId: string } }) => one.person.userId === both.id),
  ).toMatchObject({
    clientIds: [acme.clientId],
    permissions: ['assets:read', 'assets:write', 'folders:write'],
  })
  await changes({ isActive: false })
  expect((await calls(access_token)).status).toBe(401)
  await changes({ isActive: true })
  expect(await isIn(access_token)).toBe(true)
  await changes({ password: 'somebody else chose this one' })
  expect(await isIn(access_token), 'until they choose one of their own').toBe(false)
  await w.admin.delete(`/admin/users/${both.id}`)
  expect((await calls(access_token)).status).toBe(401)
  expect(await db.selectFrom('api_keys').select('id').where('user_id', '=', both.id).execute()).toEqual([])
})

test('a client’s own people sign in agents at their door, and what is kept from them is kept from those', async () => {
  const held = await acme.operator.uploads()
  await w.admin.put(`/admin/clients/${acme.clientId}/assets/${held.assetId}/hold`, {
    held: true,
    reason: 'canary claim',
  })
  const theirs = await connects(app, acme.portal, {
    clientIds: [acme.clientId],
    permissions: ['assets:write'],
  })
  expect(theirs.scope).toBe('assets:read assets:write')
  const ours = await connects(app, acme.operator, all)
  const reads = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const client = new Client({ name: 'tests', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', w.url), { requestInit: { headers } }),
    )
    onTestFinished(() => client.close())
    return JSON.stringify(await client.readResource({ uri: `asset://${acme.clientId}/${held.assetId}` }))
  }
  expect(await reads(ours.access_token)).toContain('canary claim')
  expect(await reads(theirs.access_token)).not.toContain('canary claim')
  expect((await calls(theirs.access_token, 'list_library', { what: 'connections' })).said).toContain(
    'forbidden',
  )

  const { agents } = (await acme.portal.get('/portal/connected-agents')).body
  expect(agents).toMatchObject([{ name: 'Helper', person: { userId: acme.portal.id } }])
  const [{ agentId }] = agents
  for (const stranger of [acme.operator, acme.viewer, bolt.operator])
    expect(await stranger.delete(`/admin/agents/${agentId}`)).toEqual(refusal('not-found'))
  expect(await bolt.portal.delete(`/portal/connected-agents/${agentId}`)).toEqual(refusal('not-found'))
  expect(await acme.portal.delete(`/admin/agents/${agentId}`)).toEqual(refusal('forbidden'))
  expect(await acme.portal.delete(`/portal/connected-agents/${acme.agent.id}`), 'an API key').toEqual(
    refusal('not-found'),
  )
  expect((await bolt.portal.get('/portal/connected-agents')).body.agents).toEqual([])
  expect(await isIn(theirs.access_token)).toBe(true)
  expect((await w.admin.delete(`/admin/agents/${agentId}`)).status, 'who looks after keys').toBe(204)
  expect(await isIn(theirs.access_token)).toBe(false)
})

test('no is an answer, nothing is sent where it was not announced, and no other site can say yes', async () => {
  const asked = await app.asks()
  const { body } = await answers(acme.operator, asked.url, { allow: false, clientIds: [] })
  expect(body.redirectTo).toBe(
    `${redirectUri}?${new URLSearchParams({ error: 'access_denied', state: asked.state, iss: w.url })}`,
  )
  for (const redirect_uri of [
    `${redirectUri}/x`,
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    `${redirectUri}#x`,
  ]) {
    const { url } = await app.asks({ redirect_uri })
    expect((await leadsTo(url)).origin, 'stays here').toBe(w.url)
    expect(await answers(acme.operator, url, all), redirect_uri).toEqual(refusal('invalid-redirect-uri'))
  }
  const odd: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'invalid-request'],
    [{ code_challenge_method: 'plain' }, 'invalid-request'],
    [{ code_challenge: '' }, 'invalid-request'],
    [{ client_id: newId('app') }, 'invalid-client'],
    [{ client_id: 'nobody' }, 'invalid-client'],
    [{ state: 'x'.repeat(1001) }, 'invalid-request'],
  ]
  for (const [more, code] of odd) {
    const { url } = await app.asks(more)
    expect(await answers(acme.operator, url, all), JSON.stringify(more)).toEqual(
      refusal(code as 'invalid-request'),
    )
    expect(await acme.operator.get(`/oauth/consent${(await leadsTo(url)).search}`)).toEqual(
      refusal(code as 'invalid-request'),
    )
  }
  const said = { request: Object.fromEntries((await leadsTo(asked.url)).searchParams), allow: true, ...all }
  expect(await w.nobody.post('/oauth/consent', said)).toEqual(refusal('unauthenticated'))
  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const)
    expect(await acme.operator.post('/oauth/consent', said, { [name]: value })).toEqual(refusal('cross-site'))
  const evil = 'https://evil.example/'
  for (const path of [`//evil.example`, `?redirect_uri=${evil}&client_id=x`, `?//evil.example`])
    expect(
      (await fetch(`${w.url}/oauth/authorize${path}`, { redirect: 'manual' })).headers.get('location') ??
        '/app/',
    ).toMatch(/^\/app\//)
})

test('a program may be known by a document of its own, which is read through the guarded door', async () => {
  const publishes = (path: string, said: object, more: object = {}) => {
    const id = `http://${host}${path}`
    pages.set(path, {
      status: 200,
      said: { client_id: id, client_name: 'Claude', redirect_uris: [redirectUri], ...said },
      ...more,
    })
    return id
  }
  const claude = publishes('/claude', { token_endpoint_auth_method: 'none', logo_uri: 'https://x.example/' })
  const known = agentApp(
    await discovery(new URL(w.url), claude, undefined, None(), {
      execute: [allowInsecureRequests],
      algorithm: 'oauth2',
    }),
  )
  const { url } = await known.asks()
  const { body } = await acme.operator.get(`/oauth/consent${(await leadsTo(url)).search}`)
  expect(body.agent).toEqual({ name: 'Claude', host, redirectHost: 'agent.example', isOnThisDevice: false })
  const { access_token } = await connects(known, acme.operator, all)
  expect(await isIn(access_token)).toBe(true)
  expect((await acme.operator.get('/admin/agents')).body.agents[0]).toMatchObject({
    name: 'Claude',
    isVerified: true,
  })
  expect(
    asked.filter((path) => path === '/claude'),
    'kept for a while',
  ).toHaveLength(1)

  const before = asked.length
  await leadsTo((await known.asks({ client_id: publishes('/stranger', {}) })).url)
  expect(asked.length, 'nobody without a login makes us ask').toBe(before)

  const ids = [
    publishes('/other', { client_id: claude }),
    publishes('/secret', { token_endpoint_auth_method: 'client_secret_basic' }),
    publishes('/long', { more: 'x'.repeat(20_000) }),
    publishes('/page', {}, { type: 'text/html' }),
    publishes('/away', {}, { status: 302 }),
    publishes('/broken', {}, { said: '{' }),
    `http://${host}/absent`,
    `http://${host}/`,
    `http://${host}/x/../claude`,
    `http://${host}/claude#x`,
    `http://user@${host}/claude`,
    // Of the machine itself, of its network, and of clouds.
    `http://127.0.0.1:9/claude`,
    `https://127.0.0.1:9/claude`,
    'https://[::1]/claude',
    'https://[::ffff:127.0.0.1]/claude',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/claude',
    'https://2130706433/claude',
    'file:///etc/passwd',
  ]
  for (const client_id of ids) {
    const { url } = await known.asks({ client_id })
    expect(await answers(acme.operator, url, all), client_id).toEqual(refusal('invalid-client'))
  }
  const name = publishes('/name', { client_name: 'Claude\u202e' })
  expect(await answers(acme.operator, (await known.asks({ client_id: name })).url, all)).toEqual(
    refusal('invalid-client-metadata'),
  )
  expect(asked.slice(before).sort()).toEqual(
    ['/other', '/secret', '/long', '/page', '/away', '/broken', '/absent', '/name'].sort(),
  )
})

test('registrations are checked, few from one place, and forgotten unless somebody lets one in', async () => {
  const registers = (said: unknown, person = w.nobody) => person.post('/oauth/register', said)
  for (const [said, error] of [
    [{ redirect_uris: ['http://evil.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_client_metadata'],
    [{ redirect_uris: Array(11).fill(redirectUri) }, 'invalid_client_metadata'],
    [{ redirect_uris: [redirectUri], client_name: 'x'.repeat(121) }, 'invalid_client_metadata'],
    [{ redirect_uris: [redirectUri], client_name: 'a\nb' }, 'invalid_client_metadata'],
    [{}, 'invalid_client_metadata'],
    ['[]', 'invalid_client_metadata'],
    ['{', 'invalid_request'],
  ] as const)
    expect(await registers(said), JSON.stringify(said).slice(0, 60)).toEqual(refused(error))
  const { body: unnamed } = await registers({
    redirect_uris: [redirectUri],
    client_secret: 'x',
    software_id: 'y',
  })
  expect(unnamed).toMatchObject({ client_name: 'agent.example', token_endpoint_auth_method: 'none' })
  expect(unnamed).not.toHaveProperty('client_secret')
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`
  const { body: longNamed } = await registers({ redirect_uris: [`https://${long}/`] })
  expect(longNamed).toMatchObject({ client_name: long.slice(-120) })

  const sent = await Promise.all(
    Array.from({ length: 30 }, () => registers({ redirect_uris: [redirectUri] })),
  )
  expect(sent.filter(({ status }) => status === 201).length).toBeLessThan(20)
  expect(sent.at(-1)).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  const { count } = await db
    .selectFrom('agent_apps')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(20)

  const operator = await operatorOf(acme.clientId)
  const { access_token, refresh_token } = await connects(app, operator, all)
  await answers(operator, (await app.asks()).url, all)
  const isKnown = async (id: string) =>
    (await db.selectFrom('agent_apps').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  const agents = async () => (await operator.get('/admin/agents')).body.agents.length
  const purge = () => jobHandlers(w.parts).purge({}, { last: true } as never)
  await purge()
  expect([await isKnown(app.id), await isKnown(unnamed.client_id), await agents()]).toEqual([true, true, 2])
  await sql`update agent_apps set created_at = created_at - interval '2 days'`.execute(db)
  await sql`update agent_codes set expires_at = expires_at - interval '2 days'`.execute(db)
  await sql`update api_keys set created_at = created_at - interval '2 hours' where user_id is not null`.execute(
    db,
  )
  await purge()
  expect([await isKnown(app.id), await isKnown(unnamed.client_id)]).toEqual([true, false])
  expect([await agents(), await isIn(access_token)], 'nobody came for the other').toEqual([1, true])
  await sql`update agent_tokens set expires_at = expires_at - interval '31 days'`.execute(db)
  await expect(refreshes(app, refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' })
  await purge()
  expect(await agents(), 'unused for a month').toBe(0)
  expect(await db.selectFrom('agent_tokens').select('token_hash').execute()).toEqual([])
})
