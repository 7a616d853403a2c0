import { expect, test } from 'vitest'
import { type Role, rolePermissions, userRoles } from '../contract/access.ts'
import type { IdKind } from '../contract/words.ts'
import { newId } from '../server/ids.ts'
import { type Person, puts } from './person.ts'
import { pixel } from './pictures.ts'
import { refusal } from './refusal.ts'
import { apiRoutes, type Route } from './route-table.ts'
import { snapshot } from './snapshot.ts'
import { absentThings, bodyFor, pathOf, type Things, thingsOf } from './things.ts'
import { ownWorld } from './world.ts'

// No jobs: what is compared before and after must be still.
const w = await ownWorld({ ROLE: 'api' })
const acme = await w.newClient('Acme')
const bolt = await w.newClient('Bolt')
const [own, foreign] = await Promise.all([thingsOf(w, acme), thingsOf(w, bolt)])
// So that finalizing it comes as far as the folder it is to go to.
const awaiting = await acme.operator.get(`${acme.operator.door.assets}/upload-session/${own.uploadSessionId}`)
await puts(awaiting.body, pixel)
const people: Record<Role, Person> = { admin: w.admin, ...acme.people }
const roles = Object.keys(people) as Role[]
const routes = apiRoutes()

const kinds: Record<string, IdKind> = {
  clientId: 'client',
  assetId: 'asset',
  uploadSessionId: 'upload',
  userId: 'user',
  keyId: 'key',
  connectionId: 'connection',
  deliveryId: 'delivery',
  pullGrantId: 'grant',
  shareLinkId: 'share',
  uploadRequestId: 'request',
  webhookId: 'webhook',
  sessionId: 'session',
  passkeyId: 'passkey',
  commentId: 'comment',
  downloadId: 'download',
  batchId: 'batch',
  suggestionId: 'suggestion',
  runId: 'run',
}

test.each(routes.filter(({ permission }) => permission !== 'public'))(
  '$method $url is closed to nobody and to roles without $permission',
  async (route) => {
    expect(await ask(w.nobody, route, own)).toEqual(refusal('unauthenticated'))
    for (const role of roles)
      if (!may(role, route)) expect(await ask(people[role], route, own), role).toEqual(refusal('forbidden'))
  },
)

test.each(routes.filter(({ url }) => url !== '/auth/logout'))(
  '$method $url is open to roles that may use it',
  async (route) => {
    somethingChanges()
    const names = route.url.startsWith('/admin/clients/:clientId')
      ? { ...absentThings(), clientId: own.clientId }
      : absentThings()
    for (const role of roles)
      if (may(role, route))
        expect(
          [401, 403].includes((await ask(people[role], route, names)).status) && notALogin(route),
          role,
        ).toBe(false)
  },
)

const withIds = routes.filter(({ url }) => Object.keys(kinds).some((name) => url.includes(`:${name}`)))

test.each(withIds)('$method $url answers a foreign, odd or wrong id like an absent one', async (route) => {
  const before = await asItWas()
  for (const role of roles) {
    if (!may(role, route)) continue
    for (const [name, kind] of Object.entries(kinds).filter(([name]) => route.url.includes(`:${name}`))) {
      const absent = await ask(people[role], route, { ...own, [name]: newId(kind) })
      expect(absent.status, `absent ${name} as ${role}`).toBe(404)
      // Odd ids are odd for everybody alike; foreign ones are tried by each.
      const ids = {
        ...foreignId(route, name as keyof Things, role),
        ...(role === roles.find((each) => may(each, route)) && oddIds(kind)),
      }
      for (const [what, id] of Object.entries(ids)) {
        const answer = await ask(people[role], route, { ...own, [name]: id })
        expect(answer, `${what} ${name} as ${role}`).toEqual(absent)
      }
    }
  }
  expect(await asItIs()).toEqual(before)
})

test('everything of a foreign client, named with its own ids, is as absent as a client that is not', async () => {
  const before = await asItWas()
  for (const route of routes.filter(({ url }) => url.includes(':clientId')))
    for (const role of ['operator', 'viewer', 'agent', 'social-agent'] as const) {
      if (!may(role, route)) continue
      const absent = await ask(people[role], route, { ...foreign, clientId: newId('client') })
      expect(absent).toEqual(refusal('not-found'))
      expect(await ask(people[role], route, foreign), `${role} ${route.method} ${route.url}`).toEqual(absent)
    }
  expect(await asItIs()).toEqual(before)
})

const inBodies: [string, (things: Things) => { route: string; body?: object; query?: string }][] = [
  [
    'folderId of a session',
    ({ folderId }) => ({ route: 'POST assets/upload-session', body: { ...file, folderId } }),
  ],
  [
    'replacesAssetId of a session',
    ({ assetId }) => ({ route: 'POST assets/upload-session', body: { ...file, replacesAssetId: assetId } }),
  ],
  [
    'uploadToken asked for parts',
    ({ uploadToken }) => ({
      route: 'POST assets/upload-session/parts',
      body: { uploadToken, partNumbers: [1] },
    }),
  ],
  [
    'uploadToken to finalize',
    ({ uploadToken }) => ({ route: 'POST assets/upload-session/finalize', body: { uploadToken } }),
  ],
  [
    'parentId of a new folder',
    ({ folderId }) => ({ route: 'POST assets/folders', body: { name: 'In', parentId: folderId } }),
  ],
  [
    'folderId to rename',
    ({ folderId }) => ({ route: 'PATCH assets/folders', body: { folderId, name: 'Mine' } }),
  ],
  [
    'parentId to move to',
    ({ folderId }) => ({
      route: 'PATCH assets/folders',
      body: { folderId: own.folderId, parentId: folderId },
    }),
  ],
  ['folderId to delete', ({ folderId }) => ({ route: 'DELETE assets/folders', body: { folderId } })],
  [
    'folderId to restore',
    ({ trashedFolderId }) => ({ route: 'POST assets/folders/restore', body: { folderId: trashedFolderId } }),
  ],
  [
    'folderId to move an asset to',
    ({ folderId }) => ({ route: 'PATCH assets/:assetId', body: { folderId } }),
  ],
  [
    'folderId to move assets to',
    ({ folderId }) => ({
      route: 'POST assets/batch',
      body: { assetIds: [own.assetId], action: 'move', folderId },
    }),
  ],
  ['folderId to list', ({ folderId }) => ({ route: 'GET assets/', query: `?folderId=${folderId}` })],
  [
    'folderId to list the ids of',
    ({ folderId }) => ({ route: 'GET assets/ids', query: `?folderId=${folderId}&below=true` }),
  ],
  [
    'folderId to list the pages of',
    ({ folderId }) => ({ route: 'GET assets/cursors', query: `?folderId=${folderId}` }),
  ],
  [
    'folderId to download',
    ({ folderId }) => ({ route: 'GET assets/folders/download', query: `?folderId=${folderId}` }),
  ],
  [
    'folder to search for a batch',
    ({ folderId }) => ({
      route: 'POST assets/batches',
      body: { search: { folderId }, action: 'tag', tags: ['stolen'] },
    }),
  ],
  [
    'asset to download',
    ({ assetId }) => ({ route: 'POST assets/download', body: { assetIds: [own.assetId, assetId] } }),
  ],
  [
    'folder to download among others',
    ({ folderId }) => ({
      route: 'POST assets/download',
      body: { assetIds: [own.assetId], folderIds: [folderId] },
    }),
  ],
  [
    'folder to search for a download',
    ({ folderId }) => ({ route: 'POST assets/download', body: { search: { folderId, below: true } } }),
  ],
]

test.each(inBodies)('a foreign %s is a 404 like an absent one, and changes nothing', async (_, sends) => {
  const odd = Object.fromEntries(Object.keys(own).map((name) => [name, '../x'])) as unknown as Things
  const wrongKind = {
    ...own,
    folderId: own.assetId,
    assetId: own.folderId,
    trashedFolderId: own.trashedAssetId,
    uploadToken: own.uploadSessionId,
  }
  for (const person of [acme.operator, acme.portal, acme.social]) {
    const asks = (things: Things) => {
      const { route, body, query = '' } = sends(things)
      const [method, path] = route.split(' ')
      const place = path!
        .replace(/^assets\/?/, '/')
        .replace(':assetId', own.assetId)
        .replace(/\/$/, '')
      return answerOf(person, method!, `${person.door.assets}${place}${query}`, body)
    }
    const before = await asItWas()
    const absent = await asks(absentThings())
    expect(absent.status).toBe(404)
    for (const things of [foreign, odd, wrongKind]) expect(await asks(things)).toEqual(absent)
    expect(await asItIs()).toEqual(before)
  }
})

// Lists of which each member is answered for itself, and clients that an admin may name.
const answeredOneByOne = ['assetIds', 'assetRefs', 'clientId', 'clientIds']
const inEveryBody = routes.flatMap((route) =>
  Object.entries(route.schema.body ? bodyFor(route, own)! : {}).flatMap(([member, value]) => {
    const thing = (Object.keys(own) as (keyof Things)[]).find((name) => own[name] === value)
    return thing && !answeredOneByOne.includes(member) ? [{ ...route, member, thing }] : []
  }),
)

test('ids are looked for in every body', () => {
  const members = new Set(inEveryBody.map(({ member }) => member))
  for (const name of ['folderId', 'parentId', 'assetRef', 'uploadToken', 'connectionId', 'replacesAssetId'])
    expect(members).toContain(name)
})

test.each(inEveryBody)('$method $url takes a foreign $member for an absent one', async (route) => {
  const before = await asItWas()
  for (const role of roles.filter((role) => may(role, route))) {
    const sends = (id: string) =>
      answerOf(people[role], route.method, pathOf(route, own), { ...bodyFor(route, own), [route.member]: id })
    const absent = await sends(absentThings()[route.thing])
    expect(absent.status, role).toBe(404)
    expect(await sends(foreign[route.thing]), role).toEqual(absent)
  }
  expect(await asItIs()).toEqual(before)
})

test('foreign assets in a batch are not found, one by one, and stay as they are', async () => {
  const asset = async () => (await bolt.operator.reads(foreign.assetId)).body
  const before = await asset()
  const actions = [
    { action: 'move', folderId: null },
    { action: 'tag', tags: ['stolen'] },
    { action: 'untag', tags: ['stolen'] },
    { action: 'surfaces', allowedSurfaces: ['gbp'] },
    { action: 'trash' },
    { action: 'restore' },
  ]
  for (const action of actions) {
    const assetIds = [foreign.assetId, newId('asset'), own.folderId, 'odd']
    const { body } = await acme.operator.post(`${acme.operator.door.assets}/batch`, { assetIds, ...action })
    const problem = { code: 'not-found', detail: 'No asset was found here under that id.' }
    expect(body.results).toEqual(assetIds.map((assetId) => ({ assetId, ok: false, problem })))
  }
  expect(await asset()).toEqual(before)
})

test('an agent cannot write the state of a foreign client, nor learn that it has an agent', async () => {
  const state = { state: 'running' }
  const path = (agentId: string) => `/admin/seo/agents/${agentId}/runtime`
  const before = await asItWas()
  for (const clientId of [foreign.clientId, newId('client')])
    expect(await acme.agent.put(path('mine'), { ...state, clientId })).toEqual(refusal('not-found'))
  expect(await asItIs()).toEqual(before)
  somethingChanges()

  // A name that another client's agent has is as free as any other, and leads to one's own.
  const theirs = (await bolt.operator.get(path(foreign.agentId))).body
  const answers = []
  for (const agentId of [foreign.agentId, `free-${newId('client')}`]) {
    const { status, body } = await acme.agent.put(path(agentId), { ...state, clientId: own.clientId })
    answers.push({ status, ...body, agentId: '', lastHeartbeatAt: '' })
    expect((await acme.operator.get(path(agentId))).body).toEqual(body)
  }
  expect(answers[0]).toEqual(answers[1])
  expect((await bolt.operator.get(path(foreign.agentId))).body).toEqual(theirs)
})

test('what a caller sees of other clients in lists is nothing', async () => {
  const { body: clients } = await acme.operator.get('/admin/clients?limit=200')
  expect(clients.clients.map((client: { clientId: string }) => client.clientId)).toEqual([own.clientId])
  const { body: search } = await acme.operator.lists({ everywhere: true, q: 'menus' })
  expect(JSON.stringify(search)).not.toContain(foreign.clientId)
})

test('an operator that is assigned to all clients sees them all', async () => {
  somethingChanges()
  await w.admin.patch(`/admin/users/${acme.viewer.id}`, { clientIds: null })
  expect((await acme.viewer.get(`/admin/clients/${foreign.clientId}`)).status).toBe(200)
  await w.admin.patch(`/admin/users/${acme.viewer.id}`, { clientIds: [own.clientId] })
  expect((await acme.viewer.get(`/admin/clients/${foreign.clientId}`)).status).toBe(404)
})

test('a key cannot raise its rights', async () => {
  const before = await asItWas()
  for (const key of [acme.agent, acme.social]) {
    const raise = { role: 'social-agent', clientIds: [own.clientId, foreign.clientId], name: 'More' }
    for (const answer of [
      await key.post('/admin/api-keys', raise),
      await key.patch(`/admin/api-keys/${key.id}`, raise),
      await key.delete(`/admin/api-keys/${key.id}`),
      await key.patch(`/admin/users/${acme.viewer.id}`, { role: 'admin' }),
      await key.post('/admin/users', { email: 'a@b.example', name: 'A', role: 'admin' }),
      await key.patch(`/admin/clients/${own.clientId}`, { quotaBytes: 1e12 }),
    ])
      expect([403, 404]).toContain(answer.status)
  }
  expect(await asItIs()).toEqual(before)
})

const ours = [
  'clientId',
  'sha256',
  'crc32',
  'version',
  'revision',
  'role',
  'roles',
  'permissions',
  'assetRef',
  'objectPrefix',
  'createdBy',
  'storedBytes',
  'trashedAt',
  '__proto__',
]

test.each(routes.filter(({ schema }) => schema.body?.properties))(
  '$method $url takes no member from a body that is ours to set',
  async (route) => {
    const role = roles.find((role) => may(role, route))!
    const before = await asItWas()
    for (const name of ours.filter((name) => !Object.hasOwn(route.schema.body!.properties!, name))) {
      const body = JSON.stringify(bodyFor(route, own)).replace(/\}$/, `,"${name}":"x"}`)
      const answer = await answerOf(people[role], route.method, pathOf(route, own), body)
      expect(answer, name).toEqual(refusal('invalid-request'))
      const unknown = { path: '/', message: `does not know ${name}`, rule: 'additionalProperties' }
      expect(answer.body.errors).toEqual([unknown])
    }
    expect(await asItIs()).toEqual(before)
  },
)

// Taken once between two tests that change nothing: a snapshot reads every table.
let lastSeen: Awaited<ReturnType<typeof snapshot>> | undefined
const asItWas = async () => lastSeen ?? (await snapshot(w.parts.db))
async function asItIs() {
  lastSeen = await snapshot(w.parts.db)
  return lastSeen
}
const somethingChanges = () => {
  lastSeen = undefined
}

const file = { originalFilename: 'logo.png', mimeType: 'image/png', expectedSizeBytes: 100 }

function may(role: Role, { url, permission }: Route): boolean {
  if (permission === 'public') return true
  if (url.startsWith('/portal/') && role !== 'client') return false
  if (url.startsWith('/admin/') && role === 'client') return false
  if (permission === 'account') return (userRoles as readonly string[]).includes(role)
  return permission === 'login' || (rolePermissions[role] as readonly string[]).includes(permission!)
}

// The one route on which a 401 is about the body and not about the caller.
const notALogin = ({ url }: Route) => url !== '/auth/login'

/** Admins see all clients, but through each only what it has. */
const foreignId = ({ url }: Route, name: keyof Things, role: Role): Record<string, string> =>
  role !== 'admin' || (url.includes(':clientId') && name !== 'clientId') ? { foreign: foreign[name] } : {}

/** Ids that must not be told from absent ones. */
function oddIds(kind: IdKind): Record<string, string> {
  return {
    'wrong kind of': newId(kind === 'asset' ? 'folder' : 'asset'),
    'cut-off': newId(kind).slice(0, -1),
    'too long': `${newId(kind)}0`,
    capital: newId(kind).toUpperCase(),
    long: `${kind}_${'0'.repeat(1000)}`,
    climbing: '..%2F..%2Fetc',
    quoted: "x'%20or%201=1--",
    '4 kB': 'x'.repeat(4096),
    emoji: encodeURIComponent('🦩'),
  }
}

const ask = (person: Person, route: Route, things: Things) =>
  answerOf(person, route.method, pathOf(route, things), bodyFor(route, things))

/** All of an answer that a caller could compare. */
async function answerOf(person: Person, method: string, path: string, body?: object | string) {
  const leave = new AbortController()
  const response = await person.fetch(path, {
    method,
    signal: leave.signal,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  })
  // These differ from one request to the next, whatever is asked.
  const { date: _, 'x-request-id': __, ratelimit: ___, ...headers } = Object.fromEntries(response.headers)
  const isProblem = headers['content-type']?.startsWith('application/problem+json')
  if (response.status >= 400) expect(isProblem, `${method} ${path}`).toBe(true)
  expect(response.status, `${method} ${path}`).toBeLessThan(500)
  const text = isProblem ? await response.text() : ''
  leave.abort()
  return { status: response.status, headers, text, body: text ? JSON.parse(text) : text }
}
