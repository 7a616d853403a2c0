import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { json, peer, waysToSay, wordpressPeer } from './delivery-peers.ts'
import { refusal } from './refusal.ts'
import { selfSigned } from './self-signed.ts'
import { type ClientWorld, world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1', ROLE: 'api' })
const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}/connections`
const canary = 'canary-4711'

const connects = (client: ClientWorld, siteUrl: string, more: object = {}) =>
  w.admin.post(at(client), {
    kind: 'wordpress',
    name: ' Site ',
    settings: { siteUrl },
    secrets: { username: 'editor', applicationPassword: canary },
    ...more,
  })

test('a connection is made, tested, shown in the client record, and never tells its secrets', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer(canary)
  const { status, body } = await connects(client, site.url)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: site.url },
    status: 'untested',
  })

  const tested = await client.operator.post(`${at(client)}/${body.connectionId}/test`)
  expect(tested.body).toMatchObject({
    status: 'connected',
    lastError: null,
    lastCheckedAt: expect.any(String),
  })
  const { body: ads } = await w.admin.post('/admin/google-ads/connections', {
    clientId: client.clientId,
    status: 'connected',
  })
  const record = await client.viewer.get(`/admin/clients/${client.clientId}`)
  expect(record.body.integrations).toEqual([
    {
      connectionId: body.connectionId,
      kind: 'wordpress',
      status: 'connected',
      lastCheckedAt: tested.body.lastCheckedAt,
      lastError: null,
    },
    expect.objectContaining({ connectionId: ads.connectionId, kind: 'google-ads' }),
  ])

  await w.admin.patch(`${at(client)}/${body.connectionId}`, {
    secrets: { username: 'editor', applicationPassword: 'wrong' },
  })
  const failing = await client.operator.post(`${at(client)}/${body.connectionId}/test`)
  expect(failing.body).toMatchObject({
    status: 'error',
    lastError: expect.stringContaining('WordPress refused the login (401: The password is invalid.).'),
    lastErrorReason: {
      code: 'login-refused',
      values: { who: 'wordpress', status: 401, said: 'The password is invalid.' },
    },
  })

  const answers = [body, tested.body, record.body, failing.body, (await client.agent.get(at(client))).body]
  expect(JSON.stringify(answers)).not.toContain(canary)
  const rows = [
    await w.parts.db.selectFrom('connections').selectAll().execute(),
    await w.parts.db.selectFrom('events').selectAll().execute(),
  ]
  expect(JSON.stringify(rows)).not.toContain(canary)
})

test('a pasted token that the vendor takes no more is said once, by the connection, the record and an event', async () => {
  const client = await w.newClient()
  const linkedin = await peer(({ headers }, response) =>
    headers.authorization === `Bearer ${canary}`
      ? json(response, {})
      : json(
          response,
          { status: 401, serviceErrorCode: 65601, message: `No: ${headers.authorization}` },
          401,
        ),
  )
  const settings = { ownerUrn: 'urn:li:organization:5', baseUrl: linkedin.url }
  const { body } = await connects(client, '', {
    kind: 'linkedin',
    settings,
    secrets: { accessToken: 'expired' },
  })
  const path = `${at(client)}/${body.connectionId}`
  const told = async () =>
    (await w.parts.db.selectFrom('events').selectAll().where('client_id', '=', client.clientId).execute())
      .map(({ type }) => type)
      .filter((type) => type === 'connection.sign-in-needed')
  for (const _ of ['once', 'twice'])
    expect((await client.operator.post(`${path}/test`)).body).toMatchObject({
      status: 'error',
      lastErrorReason: { code: 'sign-in-needed', values: { who: 'linkedin', status: 401 } },
    })
  expect(await told()).toHaveLength(1)
  expect(JSON.stringify((await client.operator.get(at(client))).body)).toContain('No: Bearer …')
  const record = await client.viewer.get(`/admin/clients/${client.clientId}`)
  expect(record.body.integrations).toMatchObject([
    { status: 'error', lastError: expect.stringContaining('Sign in again on the connection') },
  ])
  await w.admin.patch(path, { secrets: { accessToken: ` ${canary}\n` } })
  expect((await client.operator.post(`${path}/test`)).body.status).toBe('connected')
})

test.each([
  ['wordpress', (url: string) => ({ siteUrl: url }), 'applicationPassword'],
  ['linkedin', (baseUrl: string) => ({ ownerUrn: 'urn:li:organization:5', baseUrl }), 'accessToken'],
  ['webhook', (url: string) => ({ url }), 'signingSecret'],
] as const)(
  'a %s target that says back its secret is not quoted with it',
  async (kind, settingsAt, field) => {
    const client = await w.newClient()
    const secret =
      kind === 'webhook' ? `whsec_${Buffer.alloc(32, 'ß>?').toString('base64')}` : 'c4n/ry "4711" ü'
    const token = kind === 'linkedin' ? secret.replaceAll(/[^!-~]/g, '') : secret
    let way = ''
    const target = await peer(({ headers: { authorization } }, response) =>
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(`{"message": "Not with ${way || JSON.stringify(`${authorization} ${token}`).slice(1, -1)}!"}`),
    )
    const { body } = await connects(client, '', {
      kind,
      settings: settingsAt(target.url),
      secrets: { [field]: token, ...(kind === 'wordpress' && { username: 'editor' }) },
    })
    for (way of ['', ...waysToSay(token).filter((each) => !each.includes('"') || each.includes('\\"'))]) {
      const { lastError } = (await client.operator.post(`${at(client)}/${body.connectionId}/test`)).body
      expect([way, lastError]).toEqual([way, expect.stringContaining('…')])
    }
    const kept = JSON.stringify([
      (await client.agent.get(at(client))).body,
      await w.parts.db.selectFrom('connections').selectAll().execute(),
      await w.parts.db.selectFrom('events').selectAll().execute(),
      await w.parts.db.selectFrom('audit_trail').selectAll().execute(),
    ])
    const login = Buffer.from(`editor:${token}`).toString('base64')
    for (const said of [login, ...waysToSay(token)]) {
      expect(kept).not.toContain(said)
      expect(kept).not.toContain(JSON.stringify(said).slice(1, -1))
    }
  },
)

test('a vendor whose app is not set up is offered with what to set, and without a login nothing is called', async () => {
  const client = await w.newClient()
  const { body } = await w.admin.post(at(client), {
    kind: 'linkedin',
    name: 'Page',
    settings: { ownerUrn: 'urn:li:organization:5' },
  })
  const path = `${at(client)}/${body.connectionId}`
  const needed = { status: 'error', lastErrorReason: { code: 'sign-in-needed' }, signedIn: null }
  expect(body).toMatchObject(needed)
  expect((await client.operator.post(`${path}/test`)).body).toMatchObject(needed)
  const settings = { ownerUrn: 'urn:li:organization:6', baseUrl: 'https://gateway.example' }
  expect((await w.admin.patch(path, { settings })).body).toMatchObject(needed)

  // The address is the vendor's own, so it goes by the vendor's name: nobody here can correct it.
  const away = { ...settings, baseUrl: 'http://127.0.0.1:9' }
  await w.admin.patch(path, { settings: away, secrets: { accessToken: 'pasted' } })
  expect((await client.operator.post(`${path}/test`)).body).toMatchObject({
    lastErrorReason: { code: 'connection-refused', values: { host: '127.0.0.1:9', who: 'linkedin' } },
  })

  const missing = ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET']
  const redirectUrl = `${w.url}/app/connect/linkedin`
  expect((await client.viewer.get(at(client))).body.signIn).toContainEqual({
    provider: 'linkedin',
    ready: false,
    missing,
    redirectUrl,
  })
  expect(await w.admin.post(`${path}/sign-in`)).toEqual(
    refusal('sign-in-not-configured', {
      params: { provider: 'LinkedIn', missing: missing.join(' and ') },
    }),
  )
  const site = (await connects(client, 'https://example.com')).body.connectionId
  expect(await w.admin.post(`${at(client)}/${site}/sign-in`)).toEqual(refusal('invalid-request'))
})

test('only an admin makes, changes and removes; who delivers may test; all of the house may look', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer(canary)
  const { body } = await connects(client, site.url)
  const path = `${at(client)}/${body.connectionId}`
  for (const person of [client.operator, client.viewer, client.agent]) {
    expect(await person.patch(path, { name: 'Mine' })).toEqual(refusal('forbidden'))
    expect(await person.delete(path)).toEqual(refusal('forbidden'))
    expect((await person.get(at(client))).body.connections).toHaveLength(1)
  }
  expect(await client.viewer.post(`${path}/test`)).toEqual(refusal('forbidden'))
  expect((await client.agent.post(`${path}/test`)).status).toBe(200)
})

test('a removed connection is gone, with its secrets', async () => {
  const client = await w.newClient()
  const { body } = await connects(client, 'https://example.com')
  const path = `${at(client)}/${body.connectionId}`
  expect((await w.admin.delete(path)).status).toBe(204)
  expect(await w.admin.delete(path)).toEqual(refusal('not-found'))
  expect(await client.operator.post(`${path}/test`)).toEqual(refusal('not-found'))
  expect((await client.viewer.get(at(client))).body.connections).toEqual([])
  const [row] = await w.parts.db
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', body.connectionId)
    .execute()
  expect(row!.sealed_secrets).toBeNull()
})

test.each<readonly [string, object]>([
  ['a setting of another kind', { settings: { url: 'https://example.com' } }],
  ['an unknown setting', { settings: { siteUrl: 'https://example.com', more: 1 } }],
  ['no address', { settings: { siteUrl: 'ftp://example.com' } }],
  ['an address that is none', { settings: { siteUrl: 'http://[' } }],
  ['a port that is none', { settings: { siteUrl: 'http://example.com:99999' } }],
  ['a number that is none', { settings: { siteUrl: 'http://1.2.3.999' } }],
  ['a password in the address', { settings: { siteUrl: 'https://a:b@example.com' } }],
  ['a fragment, in which every path would be lost', { settings: { siteUrl: 'http://127.0.0.1:4001#' } }],
  ['a query, in which every path would be lost', { settings: { siteUrl: 'https://example.com/?a=' } }],
  [
    'a base with a fragment',
    {
      kind: 'linkedin',
      settings: { ownerUrn: 'urn:li:organization:5', baseUrl: 'https://example.com#' },
      secrets: { accessToken: 'token' },
    },
  ],
  ['no secrets', { secrets: {} }],
  ...['to\nken', 'to\0ken', 'tökén', 'to ken', '€', ' \n'].map(
    (accessToken) =>
      [
        `a token that no header can carry (${JSON.stringify(accessToken)})`,
        { kind: 'linkedin', settings: { ownerUrn: 'urn:li:organization:5' }, secrets: { accessToken } },
      ] as const,
  ),
  ['a colon, which ends a user name', { secrets: { username: 'a:b', applicationPassword: canary } }],
  ['a password of two lines', { secrets: { username: 'editor', applicationPassword: 'a\r\nb' } }],
  ['an unknown kind', { kind: 'ftp' }],
])('%s is refused', async (_, more) => {
  const client = await w.newClient()
  expect(await connects(client, 'https://example.com', more)).toEqual(refusal('invalid-request'))
})

test.each([
  ['a 404', 404, '<h1>Not found</h1>', 'no-wordpress'],
  ['a page for every address', 200, '<div id="app"></div>', 'no-wordpress'],
  [
    'a page that names the API of another host',
    200,
    '<link rel="https://api.w.org/" href="http://127.0.0.2:9/wp-json/">',
    'no-wordpress',
  ],
  ['a gateway without a site', 502, '<h1>Bad gateway</h1>', 'failed'],
] as const)('an address at which no WordPress is, but %s, is told so', async (_, status, page, code) => {
  const client = await w.newClient()
  const other = await peer((_, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html>${page}`),
  )
  const { body } = await connects(client, other.url)
  const tested = await client.operator.post(`${at(client)}/${body.connectionId}/test`)
  expect(tested.body).toMatchObject({ status: 'error', lastErrorReason: { code } })
})

test.each([
  [
    'its header',
    (root: string) => ({ link: `<${root}>; rel="https://api.w.org/", <${root}x>; rel="x"` }),
    '',
  ],
  ['its head', () => ({}), "<link rel='https://api.w.org/' href='ROOT' />"],
  ['neither', () => ({}), ''],
] as const)('a site whose API is in a parameter is found by %s', async (_, headers, head) => {
  const client = await w.newClient()
  const site = await peer(({ path, headers: { authorization } }, response) => {
    const root = `${site.url}/blog/?rest_route=/`
    if (new URL(path, site.url).searchParams.get('rest_route') === '/wp/v2/users/me')
      return json(
        response,
        authorization ? { capabilities: { upload_files: true } } : {},
        authorization ? 200 : 401,
      )
    if (path.includes('rest_route')) return json(response, [])
    return response
      .writeHead(path === '/blog/' ? 200 : 404, { 'content-type': 'text/html', ...headers(root) })
      .end(`<html>${head.replace('ROOT', root)}`)
  })
  const { body } = await connects(client, `${site.url}/blog`)
  const tested = await client.operator.post(`${at(client)}/${body.connectionId}/test`)
  expect(tested.body).toMatchObject({ status: 'connected', lastError: null })
  expect(site.requests.find(({ path }) => path === '/blog/')!.headers.authorization).toBeUndefined()
})

test('a certificate that nobody trusts is told so', async () => {
  const client = await w.newClient()
  await using site = createServer(selfSigned).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { body } = await connects(client, `https://127.0.0.1:${(site.address() as AddressInfo).port}`)
  const tested = await client.operator.post(`${at(client)}/${body.connectionId}/test`)
  expect(tested.body).toMatchObject({
    status: 'error',
    lastErrorReason: { code: 'certificate-not-trusted' },
  })
})

test('another address needs the login again, so that none goes where it was not meant for', async () => {
  const client = await w.newClient()
  const [site, other] = [await wordpressPeer(canary), await wordpressPeer(canary)]
  const { body } = await connects(client, site.url)
  const path = `${at(client)}/${body.connectionId}`
  for (const siteUrl of [other.url, `${site.url}/elsewhere`])
    expect(await w.admin.patch(path, { settings: { siteUrl } })).toEqual(
      refusal('invalid-request', {
        errors: [expect.objectContaining({ path: '/secrets', rule: 'loginAgain' })],
      }),
    )
  expect((await w.admin.patch(path, { name: 'Blog', settings: { siteUrl: site.url } })).status).toBe(200)
  await client.operator.post(`${path}/test`)
  expect(other.requests).toEqual([])
  const secrets = { username: 'editor', applicationPassword: canary }
  expect((await w.admin.patch(path, { settings: { siteUrl: other.url }, secrets })).status).toBe(200)
  expect((await client.operator.post(`${path}/test`)).body.status).toBe('connected')
})

test('who may not change a connection sees whose it is, and no token in its address', async () => {
  const client = await w.newClient()
  const url = 'https://hooks.example.com:8443/in/canary-4711?token=canary-4711'
  const secrets = { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }
  const made = await connects(client, '', { kind: 'webhook', settings: { url }, secrets })
  expect(made.status).toBe(201)
  for (const person of [client.viewer, client.operator, client.agent]) {
    const { body } = await person.get(at(client))
    expect(body.connections[0].settings).toEqual({ url: 'https://hooks.example.com:8443' })
  }
  expect((await w.admin.get(at(client))).body.connections[0].settings).toEqual({ url })
})

test.each(['http://10.0.0.1', 'http://169.254.169.254', 'http://[::ffff:10.0.0.1]', 'http://2130706434'])(
  'a connection to %s is not called',
  async (siteUrl) => {
    const client = await w.newClient()
    const { body } = await connects(client, siteUrl)
    const tested = await client.operator.post(`${at(client)}/${body.connectionId}/test`)
    expect(tested.body).toMatchObject({
      status: 'error',
      lastError: expect.stringContaining('not a public address'),
      lastErrorReason: { code: 'address-not-public', values: { host: expect.any(String) } },
    })
  },
)
