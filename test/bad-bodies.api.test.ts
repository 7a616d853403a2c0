import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { type Role, rolePermissions } from '../contract/access.ts'
import { ProblemBody, problems } from '../contract/problems.ts'

import type { Person } from './person.ts'
import { refusal } from './refusal.ts'
import { apiRoutes, type Route } from './route-table.ts'
import { snapshot } from './snapshot.ts'
import { bodyFor, pathOf, thingsOf } from './things.ts'
import { ownWorld } from './world.ts'

const w = await ownWorld({ ROLE: 'api' })
const client = await w.newClient()
const things = await thingsOf(w, client)
const people: Record<Role, Person> = { admin: w.admin, ...client.people }
const routes = apiRoutes().filter(({ schema }) => schema.body)
// Behind the other door stand the same handlers with the same schemas.
const atOneDoor = routes.filter(({ url }) => !url.startsWith('/portal/'))

const removal = 'DELETE /admin/clients/:clientId'

const wrongValues = [null, true, 1, -1, 1.5, 'x', '', [], [[]], [null], {}, { x: 1 }, 'x'.repeat(10_000)]

const wholeBodies: [string, string][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '7'],
  ['a string', '"x"'],
  ['a list', '[]'],
  ['half of JSON', '{"name":'],
  ['two of them', '{}{}'],
  ['no JSON', 'name=x'],
  ['a byte order mark', '\uFEFF{}'],
  ['NUL', '{"name":"a\\u0000b"}'],
  ['a raw NUL', '{"name":"a\0b"}'],
  ['depth', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['a prototype', '{"__proto__":{"role":"admin"}}'],
  ['a constructor', '{"constructor":{"prototype":{"role":"admin"}}}'],
]

test.each(routes)('$method $url refuses whatever is not its body, and changes nothing', async (route) => {
  const before = await snapshot(w.parts.db)
  for (const [what, text] of wholeBodies) await refuses(route, text, what)
  await refuses(route, JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) }), 'too much', [413])
  for (const type of ['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'application/xml', 'x'])
    await refuses(route, JSON.stringify(bodyFor(route, things)), type, [415], { 'content-type': type })
  expect(await snapshot(w.parts.db)).toEqual(before)
})

test('small bodies have small limits, and no schema is without one', async () => {
  const limits = new Map(routes.map(({ method, url, bodyLimit }) => [`${method} ${url}`, bodyLimit]))
  expect([...limits].filter(([, limit]) => limit === undefined)).toEqual([])
  for (const small of [
    'POST /auth/login',
    'POST /admin/clients',
    'PUT /admin/seo/agents/:agentId/runtime',
    'PATCH /admin/clients/:clientId/assets/folders',
  ])
    expect([small, limits.get(small)! <= 256 * 1024]).toEqual([small, true])
  for (const route of routes)
    await refuses(route, JSON.stringify({ name: 'x'.repeat(route.bodyLimit!) }), 'a byte too many', [413])
})

test('an id in a body is short, and in a path as long as it likes', async () => {
  const [longest, long] = ['x'.repeat(100), 'x'.repeat(101)]
  const { operator } = client
  const deletes = (folderId: string) => operator.delete(`${operator.door.assets}/folders`, { folderId })
  expect(await deletes(longest)).toEqual(refusal('not-found'))
  expect(await deletes(long)).toEqual(refusal('invalid-request'))
  expect(await operator.reads('x'.repeat(4000))).toEqual(refusal('not-found'))
})

test('all that is wrong with a body is told at once, up to a number', async () => {
  const { operator } = client
  const wrong = async (path: string, body: object) => {
    const answer = await operator.call('POST', operator.door.assets + path, body)
    expect(answer).toEqual(refusal('invalid-request'))
    return answer.body.errors as { path: string; message: string }[]
  }
  const errors = await wrong('/upload-session', {
    originalFilename: '',
    expectedSizeBytes: 'much',
    surprise: 1,
    other: 2,
  })
  const told = errors.map(({ path, message }) => `${path} ${message}`)
  expect(told).toEqual(
    expect.arrayContaining([
      '/ does not know surprise',
      '/ does not know other',
      expect.stringMatching(/^\/mimeType must have/),
      expect.stringMatching(/^\/originalFilename must NOT/),
      expect.stringMatching(/^\/expectedSizeBytes must be/),
    ]),
  )
  expect(await wrong('/summary', { assetIds: Array(5000).fill(1) })).toHaveLength(50)
  expect(await wrong('/summary', { assetIds: Array(200_000).fill(1) })).toHaveLength(1)
})

test.each(atOneDoor)('$method $url refuses a body with a wrong, missing or unknown member', async (route) => {
  const body = bodyFor(route, things) as Record<string, unknown>
  const { properties = {}, required = [] } = route.schema.body!
  const before = await snapshot(w.parts.db)

  for (const name of required) {
    const { [name]: _, ...rest } = body
    await refuses(route, JSON.stringify(rest), `no ${name}`, [400])
  }
  await refuses(route, JSON.stringify({ ...body, surprise: 1 }), 'an unknown member', [400])

  // A wrong value of one member, or an odd one of a right type: refused whatever it is. Others are right by chance.
  for (const name of Object.keys(properties))
    for (const value of wrongValues) {
      const whole = { ...body, [name]: value }
      if (!Value.Check(route.schema.body as never, whole))
        await refuses(route, JSON.stringify(whole), `${name}: ${JSON.stringify(value).slice(0, 40)}`, [400])
    }
  expect(await snapshot(w.parts.db)).toEqual(before)
})

test('odd values that have the right type never bring the server down', async () => {
  const odd = [
    '\ud800',
    '\u202E',
    '🦩'.repeat(60),
    '%00',
    "'; drop table assets; --",
    '../../x',
    '\u0001',
    '\n',
    // Moments that a schema may let through and a column cannot hold.
    '2026-06-30T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    `2026-06-30T23:59:59.${'9'.repeat(500)}Z`,
  ]
  // One of the values may have become the client's name.
  for (const route of atOneDoor.filter(({ method, url }) => `${method} ${url}` !== removal)) {
    const body = bodyFor(route, things) as Record<string, unknown>
    for (const [name, value] of Object.entries(body))
      for (const text of odd) {
        const strange = typeof value === 'string' ? text : Array.isArray(value) ? [text] : undefined
        if (strange === undefined) continue
        const answer = await sends(route, JSON.stringify({ ...body, [name]: strange }))
        expect(answer.status, `${route.method} ${route.url} ${name}: ${JSON.stringify(text)}`).toBeLessThan(
          500,
        )
      }
  }
})

test('a body nested hundreds of levels deep is refused before it is read', async () => {
  const deep = `{"assetIds":${'['.repeat(500)}${']'.repeat(500)}}`
  for (const route of atOneDoor)
    expect(await sends(route, deep), route.url).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', detail: expect.stringMatching(/nested/) },
    })
})

test('a body that is no UTF-8 is refused before it is read, and nothing of it is kept', async () => {
  const { operator } = client
  const before = await snapshot(w.parts.db)
  for (const route of atOneDoor) {
    const answer = await personFor(route).fetch(pathOf(route, things), {
      method: route.method,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ ...bodyFor(route, things), name: 'Müller' }), 'latin1'),
    })
    expect(await answer.json(), route.url).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('UTF-8'),
    })
  }
  expect(await snapshot(w.parts.db)).toEqual(before)
  expect((await operator.makesFolder('Müller 🦩')).name).toBe('Müller 🦩')
})

test.each(apiRoutes().filter(({ schema }) => schema.querystring))(
  '$method $url refuses a query that it does not know',
  async (route) => {
    const path = pathOf(route, things)
    const answer = await personFor(route).call(
      route.method,
      `${path}${path.includes('?') ? '&' : '?'}surprise=1`,
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
    expect(Value.Errors(ProblemBody, answer.body)).toEqual([])
  },
)

test('a cursor that somebody made up is refused, or is a place where nothing stands, in every list', async () => {
  const values = ['2026-02-30T00:00:00.000Z', '2026-06-30T24:00:00.000Z', 2 ** 31, 2 ** 53 - 1]
  const cursors = values.flatMap((value) => [
    [value],
    [value, things.assetId],
    [value, 2 ** 53 - 1],
    [value, 'blog-post', 'x'],
    ...['newest', 'title', 'size', 'relevance', 'place'].map((sort) => [sort, value, things.assetId]),
  ])
  const isPlace = (name: string) => name === 'cursor' || name === 'until'
  const lists = apiRoutes().filter(
    ({ url, schema }) =>
      !url.startsWith('/portal/') && Object.keys(schema.querystring?.properties ?? {}).some(isPlace),
  )
  expect(lists.length).toBeGreaterThan(20)
  for (const route of lists)
    for (const name of Object.keys(route.schema.querystring!.properties!).filter(isPlace))
      for (const keys of cursors) {
        const cursor = Buffer.from(JSON.stringify(keys)).toString('base64url')
        const { status } = await personFor(route).get(`${pathOf(route, things)}?${name}=${cursor}`)
        expect([200, 400], `${route.url} ${name} ${JSON.stringify(keys)}`).toContain(status)
      }
})

async function refuses(
  route: Route,
  body: string,
  what: string,
  statuses = [400, 413, 415],
  headers: Record<string, string> = {},
) {
  const label = `${route.method} ${route.url} with ${what}`
  const { status, headers: answered, body: problem } = await sends(route, body, headers)
  expect(statuses, `${label}: ${JSON.stringify(problem).slice(0, 200)}`).toContain(status)
  expect(answered.get('content-type'), label).toMatch(/^application\/problem\+json/)
  expect(Value.Errors(ProblemBody, problem), label).toEqual([])
  expect(problems[problem.code as keyof typeof problems], label).toEqual({
    status: problem.status,
    title: problem.title,
  })
  expect(problem.status, label).toBe(status)
}

const sends = (route: Route, body: string, headers: Record<string, string> = {}) =>
  personFor(route).call(route.method, pathOf(route, things), body, headers)

function personFor({ url, permission }: Route): Person {
  const role = (Object.keys(people) as Role[]).find(
    (each) =>
      url.startsWith('/portal/') === (each === 'client') &&
      (['public', 'account'].includes(permission!) ||
        (rolePermissions[each] as readonly string[]).includes(permission!)),
  )
  return people[role!]
}
