import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { permissions, rolePermissions } from '../contract/access.ts'
import { connectionKinds } from '../contract/connection-kinds.ts'
import { problems } from '../contract/problems.ts'
import { newId } from '../server/ids.ts'
import { unbounded } from './bounds.ts'
import { plainDetails } from './plain-details.ts'
import { brokenPromises } from './promised-answers.ts'
import { apiRoutes, routeTable } from './route-table.ts'
import { absentThings, pathOf } from './things.ts'
import { newHome, ownWorld, startServer } from './world.ts'

const w = await ownWorld({ ROLE: 'api' })

test('every route states its permission', () => {
  const known = [...permissions, 'public', 'login', 'account']
  const without = routeTable().filter(({ permission }) => !known.includes(permission ?? ''))
  expect(without.map(({ method, url }) => `${method} ${url}`)).toEqual([])
})

test('only what must be is open to everybody', () => {
  const open = new Set(
    routeTable()
      // What a browser asks before it sends the request proper says nothing of ours.
      .filter(({ permission, method }) => permission === 'public' && method !== 'OPTIONS')
      .map(({ url }) => url.replace(/^\/docs\/.*/, '/docs/*')),
  )
  const named = [
    '/',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/app',
    '/app/*',
    '/app/assets/*',
    '/auth/accept-invitation',
    '/auth/confirm-email',
    '/auth/forgot',
    '/auth/login',
    '/auth/oidc/:provider',
    '/auth/oidc/:provider/callback',
    '/auth/options',
    '/auth/passkeys/sign-in',
    '/auth/passkeys/sign-in-options',
    '/auth/reset',
    '/auth/second-factor',
    '/docs',
    '/docs/*',
    '/livez',
    '/lp-api/:slug',
    '/metrics',
    '/oauth/authorize',
    '/oauth/register',
    '/oauth/revoke',
    '/oauth/token',
    '/objects/*',
    '/openapi.json',
    '/picker',
    '/picker/asset-picker.js',
    '/pull/:token',
    '/readyz',
    '/s/:shareToken',
    '/s/:shareToken/assets',
    '/s/:shareToken/assets/:assetId/approval',
    '/s/:shareToken/assets/:assetId/comments',
    '/s/:shareToken/assets/:assetId/download',
    '/s/:shareToken/assets/:assetId/film',
    '/s/:shareToken/assets/:assetId/preview',
    '/s/:shareToken/assets/:assetId/review',
    '/s/:shareToken/download',
    '/s/:shareToken/open',
    '/u/:requestToken',
    '/u/:requestToken/files',
    '/u/:requestToken/files/cancel',
    '/u/:requestToken/files/done',
    '/u/:requestToken/files/parts',
    '/u/:requestToken/files/progress',
    '/u/:requestToken/request',
    '/status',
  ]
  for (const url of open) expect(named).toContain(url)
})

test('whatever a request may say has an end, and no member is unknown', () => {
  const parts = ['body', 'params', 'querystring'] as const
  const open = routeTable().flatMap(({ method, url, schema, hidden }) =>
    parts.flatMap((part) =>
      schema[part] && !hidden
        ? unbounded(schema[part]).map((what) => `${method} ${url} ${part} ${what}`)
        : [],
    ),
  )
  // What a connection is set up with is checked by the schema of its kind.
  const ofConnections = /\/connections\/?(:connectionId)? body \/(settings|secrets)/
  expect(new Set(open.filter((one) => !ofConnections.test(one)))).toEqual(new Set())
  for (const [kind, { settings, secrets }] of Object.entries(connectionKinds))
    for (const schema of [settings, secrets]) expect(unbounded(schema), kind).toEqual([])
})

test('what every route answers is named by a schema', () => {
  const without = apiRoutes().filter(
    ({ schema: { produces, response = {} } }) =>
      !produces &&
      !Object.entries(response).some(([status, { type }]) => status[0] === '2' && type === 'object'),
  )
  // 204: nothing.
  expect(without.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    'DELETE /admin/agents/:agentId',
    'DELETE /admin/api-keys/:keyId',
    'DELETE /admin/clients/:clientId/agents/:keyId',
    'DELETE /admin/clients/:clientId/assets/:assetId/comments/:commentId',
    'DELETE /admin/clients/:clientId/assets/:assetId/versions/:version',
    'DELETE /admin/clients/:clientId/assets/upload-session/:uploadSessionId',
    'DELETE /admin/clients/:clientId/connections/:connectionId',
    'DELETE /admin/users/:userId',
    'DELETE /admin/users/:userId/second-factor',
    'DELETE /admin/webhooks/:webhookId',
    'DELETE /auth/identities/:provider',
    'DELETE /auth/passkeys/:passkeyId',
    'DELETE /auth/sessions/:sessionId',
    'DELETE /auth/totp',
    'DELETE /portal/agents/:keyId',
    'DELETE /portal/assets/:assetId/comments/:commentId',
    'DELETE /portal/assets/upload-session/:uploadSessionId',
    'DELETE /portal/connected-agents/:agentId',
    'POST /auth/logout',
    'POST /u/:requestToken/files/cancel',
  ])
  const hidden = routeTable().filter((route) => route.hidden && route.permission !== 'public')
  // It answers in a protocol of its own.
  expect(new Set(hidden.map(({ url }) => url))).toEqual(new Set(['/mcp']))
})

test('nothing leaves that the schema of the answer does not name', async () => {
  const { clientId, operator, portal } = await w.newClient()
  const id = newId('asset')
  await w.parts.db
    .insertInto('assets')
    .values({
      client_id: clientId,
      id,
      title: 'Harbour',
      original_filename: 'harbour.jpg',
      mime_type: 'image/jpeg',
      size_bytes: 1,
      details: JSON.stringify({ ...JSON.parse(plainDetails), serialNumber: '4711' }),
      created_by: 'tests',
    } as never)
    .execute()
  for (const person of [operator, portal])
    for (const path of ['', `/${id}`]) {
      const { status, body } = await person.get(person.door.assets + path)
      expect(status).toBe(200)
      expect((body.assets?.[0] ?? body).details).toEqual(JSON.parse(plainDetails))
    }
  expect(brokenPromises(), 'seen by what checks every answer').toHaveLength(4)
})

test('every route answers with the headers that keep browsers safe, whoever asks', async () => {
  const absent = absentThings()
  const routes = routeTable().filter(({ method }) => !['HEAD', 'OPTIONS'].includes(method))
  expect(routes.length).toBeGreaterThan(100)
  const odd: string[] = []
  for (const route of routes)
    for (const person of [w.nobody, w.admin]) {
      if (route.url === '/auth/logout' || (route.url === '/mcp' && person === w.admin)) continue
      const leave = new AbortController()
      const path = pathOf(route, absent).replace('*', 'nothing').replace(/:\w+/g, 'x')
      const answer = await person.fetch(path, {
        method: route.method,
        redirect: 'manual',
        signal: leave.signal,
      })
      const said = (name: string) => answer.headers.get(name) ?? ''
      const name = `${route.method} ${route.url} (${answer.status})`
      leave.abort()
      if (said('x-content-type-options') !== 'nosniff') odd.push(`${name}: nosniff`)
      // The one page that sites which were named may show in a frame, by its policy.
      const isFramed = route.url === '/picker' && answer.status < 400
      const ancestors = isFramed ? 'frame-ancestors https://cms.example' : "frame-ancestors 'none'"
      if (said('x-frame-options') !== (isFramed ? '' : 'DENY')) odd.push(`${name}: frames`)
      const ownCaching = /^\/(app|docs|picker\/asset-picker\.js)/.test(route.url) && answer.status < 400
      const caching =
        route.url === '/openapi.json' && answer.status === 200 ? 'private, no-cache' : 'no-store'
      if (!ownCaching && said('cache-control') !== caching) odd.push(`${name}: ${said('cache-control')}`)
      if (/text\/html/.test(said('content-type')) && !said('content-security-policy').includes(ancestors))
        odd.push(`${name}: policy`)
    }
  expect(odd).toEqual([])
})

test('over https browsers are told to stay there, and metrics need their token', async () => {
  const home = await newHome()
  const server = await startServer({
    ...home.environment,
    ROLE: 'api',
    PUBLIC_URL: 'https://library.example',
  })
  try {
    for (const path of ['/status', '/app/', '/docs', '/nothing', '/%E0%A4%A'])
      expect((await fetch(server.url + path)).headers.get('strict-transport-security'), path).toMatch(
        /^max-age=\d{8}/,
      )
    // A proxy on the same machine calls from here for everybody, and need not say so.
    expect((await fetch(`${server.url}/metrics`)).status).toBe(403)
  } finally {
    await server.stop()
    await home.remove()
  }
  expect((await w.nobody.get('/status')).headers.has('strict-transport-security')).toBe(false)
  expect((await w.nobody.get('/metrics')).status).toBe(200)
  for (const header of ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])
    expect((await w.nobody.get('/metrics', { [header]: 'x' })).status, header).toBe(403)
})

test('every path that the specification names is there', async () => {
  const { paths } = (await w.nobody.get('/openapi.json')).body
  const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const client = '/admin/clients/{clientId}'
  for (const named of [
    `POST ${client}/assets/upload-session`,
    `POST ${client}/assets/upload-session/finalize`,
    `POST ${client}/assets/folders`,
    `PATCH ${client}/assets/folders`,
    `DELETE ${client}/assets/folders`,
    `GET ${client}/assets/folders/download`,
    `GET ${client}/assets`,
    `GET ${client}/assets/{assetId}/preview`,
    'GET /status',
    `GET ${client}`,
    'GET /admin/seo/agents/{agentId}/runtime',
    'GET /admin/{provider}-ads/connections/{connectionId}',
    'GET /lp-api/{slug}',
  ])
    expect(operations).toContain(named)
})

test('both doors have the same routes, but for what no client user may do', () => {
  const clients: readonly string[] = rolePermissions.client
  const behind = (door: string) =>
    apiRoutes()
      .filter(
        ({ url }) =>
          /^\/(assets|events|saved-searches|share-links|upload-requests|waiting-room)/.test(
            url.slice(door.length),
          ) && url.startsWith(door),
      )
      .map(({ method, url, permission }) => `${method} ${url.slice(door.length)} ${permission}`)
      .sort()
  const forClients = behind('/admin/clients/:clientId').filter((route) =>
    clients.includes(route.split(' ')[2]!),
  )
  expect(behind('/portal')).toEqual(forClients)
})

test('/openapi.json describes every route well enough to generate a client', async () => {
  const { status, body: document } = await w.nobody.get('/openapi.json')
  expect(status).toBe(200)
  expect(document.openapi).toMatch(/^3\.1/)
  const described = new Map<string, Operation>()
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Operation>>))
    for (const [method, operation] of Object.entries(methods))
      described.set(`${method.toUpperCase()} ${path}`, operation)

  for (const { method, url, permission, schema } of apiRoutes()) {
    const path = url.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1')
    const name = `${method} ${path}`
    const operation = described.get(name)
    expect(operation, `${name} is described`).toBeDefined()
    described.delete(name)

    expect(operation!.operationId, name).toMatch(/^[a-z][A-Za-z0-9]*$/)
    expect(operation!.summary, name).toMatch(/^[A-Z][^.]{3,50}$/)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    const parameters = (operation!.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(parameters.map((parameter) => parameter.name).sort(), name).toEqual(inPath.sort())
    for (const parameter of parameters) expect(parameter.required, name).toBe(true)
    expect(operation!.requestBody !== undefined, name).toBe(schema.body !== undefined)

    const codes = Object.entries(operation!.responses)
    expect(
      codes.filter(([code]) => code.startsWith('2')).length,
      `${name} tells its success`,
    ).toBeGreaterThan(0)
    for (const [code, response] of codes) {
      expect(response.description, `${name} ${code}`).toBeTruthy()
      if (Number(code) < 400) continue
      const [, { properties }] = response.content['application/problem+json']!.schema.allOf
      for (const problem of properties.code.enum)
        expect(problems[problem as keyof typeof problems]?.status, `${name} ${problem}`).toBe(Number(code))
    }
    if (permission === 'public') expect(operation!.security, name).toEqual([])
    else {
      expect(operation!.security, name).toHaveLength(2)
      expect(Object.keys(operation!.responses), name).toEqual(expect.arrayContaining(['401', '403']))
    }
  }
  expect([...described.keys()], 'described but not there').toEqual([])
  const ids = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('the description has one form at all its addresses, and who has it is told so', async () => {
  const first = await w.nobody.fetch('/openapi.json')
  const text = await first.text()
  const etag = first.headers.get('etag')!
  for (const path of ['/docs/json', '/docs/yaml']) {
    const other = await w.nobody.fetch(path)
    expect([other.headers.get('etag'), await other.text()]).toEqual([etag, text])
    expect((await w.nobody.fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  }
})

test('every reference in /openapi.json leads somewhere', async () => {
  const { body: document } = await w.nobody.get('/openapi.json')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, path]) => path!)
  expect(references.length).toBeGreaterThan(0)
  const named = Object.keys(document.components.schemas).map((name) => `/components/schemas/${name}`)
  expect(
    named.filter((name) => !references.includes(name)),
    'named and not used',
  ).toEqual([])
  expect(document.info.license.identifier).toBeTruthy()
  for (const reference of new Set(references)) {
    const found = reference
      .split('/')
      .slice(1)
      .reduce((node: Record<string, never> | undefined, step) => node?.[step], document)
    expect(found, reference).toBeDefined()
  }
})

test('/openapi.json has names for what it speaks of, and the headers that count', async () => {
  const { body: document } = await w.nobody.get('/openapi.json')
  expect(document.servers).toEqual([{ url: w.parts.config.publicUrl }])
  expect(document.components.securitySchemes.session.name).toBe('session')
  const named = Object.keys(document.components.schemas)
  for (const name of ['Asset', 'AssetPage', 'Folder', 'UploadSession', 'Delivery', 'Use', 'Problem'])
    expect(named).toContain(name)

  const operation = (method: string, path: string) => document.paths[`/portal/assets${path}`][method]
  const headersOf = ({ parameters = [] }: Operation) =>
    parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  const folder = operation('patch', '/folders')
  expect(headersOf(folder)).toEqual(['If-Match'])
  // What it must not have changed since is said in its body.
  expect(headersOf(operation('put', '/{assetId}/approval'))).toEqual([])
  expect(Object.keys(folder.responses[200].headers)).toEqual(['ETag'])
  expect(folder.responses[200].content['application/json'].schema).toEqual(ref('Folder'))
  expect(Object.keys(folder.responses[429].headers)).toEqual(['Retry-After'])
  expect(headersOf(operation('post', '/upload-session'))).toEqual(['Idempotency-Key'])
  const content = operation('get', '/{assetId}/content')
  expect(headersOf(content)).toEqual(['Range', 'If-None-Match'])
  expect(Object.keys(content.responses)).toEqual(expect.arrayContaining(['200', '206', '304', '416']))
  expect(headersOf(document.paths['/portal/events'].get)).toEqual(['Last-Event-ID'])
})

test('the linter finds nothing in /openapi.json, and the client that is made of it compiles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  await writeFile(at('openapi.json'), await (await fetch(`${w.url}/openapi.json`)).text())
  const tools = fileURLToPath(new URL('openapi-tools.js', import.meta.url))
  const { stdout } = await run(process.execPath, [tools, at('openapi.json'), at('client.ts')])
  expect(stdout).toBe('')

  await writeFile(at('use.ts'), useOfTheClient)
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url))
  const strictly = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', '--types', '']
  await run(process.execPath, [compiler, ...strictly, at('use.ts')]).catch(({ stdout }) =>
    expect.unreachable(stdout),
  )
})

const run = promisify(execFile)

const useOfTheClient = `
import type { components, paths, webhooks } from './client.ts'

type Ask = paths['/portal/assets/upload-session']['post']
const session: Ask['requestBody']['content']['application/json'] = {
  originalFilename: 'logo.png',
  mimeType: 'image/png',
  expectedSizeBytes: 1,
}
// @ts-expect-error: sizes are numbers
session.expectedSizeBytes = '1'

type Read = paths['/portal/assets/{assetId}']['get']['responses']
const etag = (answer: Read[200]): string | undefined => answer.headers.ETag
const title = (asset: components['schemas']['Asset']): string => asset.title
const told = (answer: Read[200]) => title(answer.content['application/json'])
const code = (refusal: Read[404]): 'not-found' => refusal.content['application/problem+json'].code
type Sent = webhooks['asset.created']['post']['requestBody']['content']['application/json']
const type = (message: Sent): 'asset.created' => message.type
export { code, etag, session, told, type }
`

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('/docs can be browsed without the internet', async () => {
  const page = await w.nobody.get('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string)
  expect(links.length).toBeGreaterThan(2)
  for (const link of links) {
    const url = new URL(link, `${w.url}/docs/`)
    expect(url.origin).toBe(w.url)
    expect((await fetch(url)).status, link).toBe(200)
  }
  const policy = page.headers.get('content-security-policy')!
  const directives = policy.split(';').map((one) => one.trim().split(' ')[0])
  expect(new Set(directives).size, policy).toBe(directives.length)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/https?:|swagger\.io|upgrade-insecure-requests|unsafe/)
})

test('the type of every problem leads to where it is explained', async () => {
  const { body } = await w.nobody.get('/nowhere')
  const page = await w.nobody.get(body.type)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const [code, { title }] of Object.entries(problems))
    expect(page.body).toMatch(new RegExp(`id="${code}".*${title}<`))
})

test('what is nowhere is a problem like any other', async () => {
  for (const path of ['/nowhere', '/admin/nowhere', '/portal/assets/a/b/c/d', '/auth', '/admin%2Fusers'])
    expect(await w.admin.get(path)).toMatchObject({ status: 404, body: { code: 'not-found', status: 404 } })
  expect((await w.admin.call('PUT', '/admin/users', {})).status).toBe(404)
  const browser = { headers: { accept: 'text/html,application/xhtml+xml' }, redirect: 'manual' } as const
  const mistyped = await fetch(`${w.url}/nirgendwo//evil.example`, browser)
  expect([mistyped.status, mistyped.headers.get('location')]).toEqual([302, '/app/nowhere'])
  expect((await w.admin.get('/admin/clients/%00')).body.code).toBe('invalid-request')
  expect((await w.admin.get('/admin/clients/%zz')).status).toBe(400)
})

interface Operation {
  operationId: string
  summary: string
  parameters?: { in: string; name: string; required: boolean }[]
  requestBody?: object
  security: object[]
  responses: Record<
    string,
    {
      description: string
      content: Record<string, { schema: { allOf: [object, { properties: { code: { enum: string[] } } }] } }>
    }
  >
}
