import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { peer } from './delivery-peers.ts'
import { type Person, person } from './person.ts'
import { refusal } from './refusal.ts'
import { authorizationServer, googlePeer, linkedinPeer, metaPeer, vendorSecret } from './vendor-peers.ts'
import { visit } from './vendor-visit.ts'
import { adminLogin, type ClientWorld, newClient, newHome, signIn, startServer } from './world.ts'

const vendor = await authorizationServer()
const home = await newHome()
const meta = await metaPeer('v25.0', [
  { id: '11' },
  { id: '12' },
  { id: '13', instagram: '17841400000000013' },
])
const environment = {
  ...home.environment,
  ...vendor.environment,
  ...meta.environment,
  OUTBOUND_ALLOW: '127.0.0.1',
}
const lines: string[] = []
const log = { write: (line: string) => void lines.push(line) }
const server = await startServer(environment, log)
// A second node, at the same address for people.
const other = await startServer({ ...environment, PUBLIC_URL: server.url, ROLE: 'api' }, log)
afterAll(async () => {
  await other.stop()
  await server.stop()
  await home.remove()
})
vendor.serves(server.url)
const { db, sealer } = server.parts
const logsIn = async () => {
  const { email, password } = adminLogin
  return person(server.url, { cookie: await signIn(server.url, email, password) })
}
const admin = await logsIn()
/** What must be nowhere but sealed. */
const secret = new Set<string>([vendorSecret])

const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}/connections`

async function connects(client: ClientWorld, kind: string, settings: object): Promise<string> {
  const { status, body } = await admin.post(at(client), { kind, name: 'Profile', settings })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      status: 'error',
      lastErrorReason: expect.objectContaining({ code: 'sign-in-needed' }),
    }),
  ])
  return `${at(client)}/${body.connectionId}`
}

async function begins(who: Person, path: string): Promise<string> {
  const { status, body } = await who.post(`${path}/sign-in`)
  expect(status).toBe(200)
  secret.add(new URL(body.authorizationUrl).searchParams.get('state')!)
  return body.authorizationUrl
}

const finishes = (
  who: Person,
  provider: string,
  { state, code, iss, error }: Record<string, string | undefined>,
) => {
  if (code) secret.add(code)
  return who.post('/admin/connections/sign-in', { provider, state, code, iss, error })
}

const signsIn = async (path: string, provider: string) =>
  finishes(admin, provider, await visit(await begins(admin, path)))

const google = await googlePeer(vendor.check)
const atGoogle = (url = google.url) => ({ accountId: '1', locationId: '2', baseUrl: url })

const isDue = (path: string, since = new Date(0)) =>
  db.updateTable('connections').set({ renew_at: since }).where('id', '=', path.split('/').at(-1)!).execute()
const renewsAll = () => db.transaction().execute((trx) => server.parts.jobs.send(trx, 'renew', {}))

const toldOf = async ({ clientId }: ClientWorld, type: string) =>
  (await db.selectFrom('events').select('type').where('client_id', '=', clientId).execute()).filter(
    (event) => event.type === type,
  ).length

test('a person signs in at the vendor and comes back, and the connection works, is renewed and stays', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  const asked = new URL(await begins(admin, path))
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    redirect_uri: `${server.url}/app/connect/google`,
    response_type: 'code',
    code_challenge_method: 'S256',
    access_type: 'offline',
  })
  vendor.tokensLive(2)
  const { status, body } = await finishes(admin, 'google', await visit(asked.href))
  expect([status, body]).toMatchObject([
    200,
    { status: 'connected', lastError: null, signedIn: { provider: 'google', until: null } },
  ])
  expect(await toldOf(client, 'connection.signed-in')).toBe(1)
  const trail = await db
    .selectFrom('audit_trail')
    .selectAll()
    .where('action', '=', 'connection.signed-in')
    .execute()
  expect(trail).toMatchObject([{ client_id: client.clientId, address: '127.0.0.1' }])

  // Its tokens live for two seconds: each is renewed before it ends, and each refresh token is used once.
  const before = vendor.renewals.done
  await expect
    .poll(async () => {
      expect((await client.operator.post(`${path}/test`)).body.status).toBe('connected')
      return vendor.renewals.done
    })
    .toBeGreaterThan(before + 1)
  expect(vendor.renewals.refused).toBe(0)
  vendor.tokensLive(3600)
  expect((await admin.delete(path)).status).toBe(204)
})

test('two nodes that find a token due renew it once, and a job does so when nobody asks', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  await signsIn(path, 'google')
  const second = person(other.url, client.operator.credentials)
  const { refused } = vendor.renewals
  let { done } = vendor.renewals

  await isDue(path)
  const tested = await Promise.all(
    [client.operator, second, client.operator, second].map((one) => one.post(`${path}/test`)),
  )
  expect(tested.map(({ body }) => body.status)).toEqual(Array(4).fill('connected'))
  expect(vendor.renewals).toEqual({ done: ++done, refused })

  // A token that ends before its time is renewed once, too, though both learn of it from the vendor.
  await vendor.endsToken(google.tokens.at(-1)!)
  const again = await Promise.all([client.operator, second].map((one) => one.post(`${path}/test`)))
  expect(again.map(({ body }) => body.status)).toEqual(['connected', 'connected'])
  expect(vendor.renewals).toEqual({ done: ++done, refused })

  await isDue(path)
  await renewsAll()
  await expect.poll(() => vendor.renewals).toEqual({ done: done + 1, refused })
})

test('a vendor that does not know the app asks nobody to sign in: what is still good is used, and then it is said', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  await signsIn(path, 'google')
  const { google: app } = other.parts.config.signIn
  const right = app.clientSecret
  app.clientSecret = 'not-the-secret-of-the-app'
  const tests = () => person(other.url, client.operator.credentials).post(`${path}/test`)
  await isDue(path)
  expect((await tests()).body.status).toBe('connected')
  await vendor.endsToken(google.tokens.at(-1)!)
  expect((await tests()).body).toMatchObject({
    status: 'error',
    lastErrorReason: { code: 'app-not-known', values: { who: 'gbp' } },
  })
  expect(await toldOf(client, 'connection.sign-in-needed')).toBe(0)
  app.clientSecret = right
  expect((await tests()).body.status).toBe('connected')
})

test('access withdrawn in the middle of a delivery fails it, asks for a person, and the next try after the sign-in brings one', async () => {
  const client = await newClient(server)
  let withdraws = true
  const gallery = await googlePeer(vendor.check, async ({ path }) => {
    if (!withdraws || !path.startsWith('/upload/')) return
    withdraws = false
    await vendor.revokesAll()
  })
  const path = await connects(client, 'gbp', atGoogle(gallery.url))
  const connectionId = path.split('/').at(-1)!
  await signsIn(path, 'google')
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
  const photo = await sharp({ create: { width: 800, height: 800, channels: 3, noise, background: '#777' } })
    .jpeg()
    .toBuffer()
  const { assetRef } = await client.operator.uploads(photo, {
    session: { originalFilename: 'shop.jpg', mimeType: 'image/jpeg' },
    words: { title: 'Shop', allowedSurfaces: ['gbp'] },
  })
  const deliveries = `/admin/clients/${client.clientId}/deliveries`
  const { body } = await client.agent.post(deliveries, { assetRef, connectionId, surface: 'gbp' })
  const delivery = async () => (await client.operator.get(`${deliveries}/${body.deliveryId}`)).body
  await expect.poll(async () => (await delivery()).status, { timeout: 90_000 }).toBe('failed')
  expect(await delivery()).toMatchObject({
    lastErrorReason: { code: 'sign-in-needed', values: { who: 'gbp' } },
  })
  const record = await client.viewer.get(`/admin/clients/${client.clientId}`)
  expect(record.body.integrations).toMatchObject([
    { connectionId, status: 'error', lastError: expect.stringContaining('Sign in again') },
  ])
  expect(await toldOf(client, 'connection.sign-in-needed')).toBe(1)

  expect((await signsIn(path, 'google')).body).toMatchObject({ status: 'connected', lastErrorReason: null })
  expect((await client.operator.post(`${deliveries}/${body.deliveryId}/retry`)).status).toBe(202)
  await expect.poll(async () => (await delivery()).status, { timeout: 90_000 }).toBe('done')
  expect(gallery.items).toHaveLength(1)
})

test('LinkedIn: no proof of the key, a version of its API, and a person again when its token ends', async () => {
  const client = await newClient(server)
  const linkedin = await linkedinPeer(vendor.check, server.parts.config.apiVersions.linkedin.version)
  const path = await connects(client, 'linkedin', {
    ownerUrn: 'urn:li:organization:5',
    baseUrl: linkedin.url,
  })
  vendor.refreshTokens('not given')
  const { body } = await signsIn(path, 'linkedin')
  vendor.refreshTokens('given')
  expect(body).toMatchObject({
    status: 'connected',
    signedIn: { provider: 'linkedin', until: expect.any(String) },
  })
  expect(new URL(await begins(admin, path)).searchParams.has('code_challenge')).toBe(false)

  await db
    .updateTable('connections')
    .set({ sign_in_until: new Date(0) })
    .where('id', '=', body.connectionId)
    .execute()
  await renewsAll()
  await expect.poll(() => toldOf(client, 'connection.sign-in-needed')).toBe(1)
  const pasted = await admin.patch(path, { secrets: { accessToken: 'pasted-4711-4711' } })
  expect(pasted.body).toMatchObject({ status: 'untested', signedIn: null })
})

test('Meta: the token of the very page or account, though it renews none, and a person again when it is withdrawn', async () => {
  const client = await newClient(server)
  const [page, instagram, notTheirs] = await Promise.all([
    connects(client, 'facebook-page', { pageId: '13', baseUrl: meta.url }),
    connects(client, 'instagram', { userId: '17841400000000013', baseUrl: meta.url }),
    connects(client, 'facebook-page', { pageId: '99', baseUrl: meta.url }),
  ])
  const through = async (path: string) => {
    const url = await begins(admin, path)
    expect(url).toMatch(/^https:\/\/www\.facebook\.com\/v25\.0\/dialog\/oauth\?/)
    return finishes(admin, 'meta', meta.consents(url))
  }
  for (const path of [page, instagram])
    expect((await through(path)).body).toMatchObject({
      status: 'connected',
      signedIn: { provider: 'meta', until: null },
    })
  expect(await through(notTheirs)).toEqual(refusal('sign-in-incomplete'))

  meta.withdraws()
  expect((await client.operator.post(`${page}/test`)).body).toMatchObject({
    status: 'error',
    lastErrorReason: { code: 'sign-in-needed', values: { status: 400 } },
  })
  expect((await through(page)).body.status).toBe('connected')
  const another = await admin.patch(page, { settings: { pageId: '12', baseUrl: meta.url } })
  expect(another.body, 'a page has a token of its own').toMatchObject({ status: 'error', signedIn: null })
})

test('what comes back counts once, in the session that began it, within ten minutes, and from the vendor it was begun at', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  const somebodyElse = await logsIn()
  const over = refusal('sign-in-over')

  const returned = await visit(await begins(admin, path))
  expect(await finishes(somebodyElse, 'google', returned)).toEqual(over)
  expect((await finishes(admin, 'google', returned)).status).toBe(200)
  expect(await finishes(admin, 'google', returned)).toEqual(over)

  const replaced = await visit(await begins(admin, path))
  const late = await visit(await begins(admin, path))
  expect(await finishes(admin, 'google', replaced), 'begun anew since').toEqual(over)
  await db
    .updateTable('connection_sign_ins')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await finishes(admin, 'google', late)).toEqual(over)

  const mixedUp = await visit(await begins(admin, path))
  expect(await finishes(admin, 'linkedin', mixedUp), 'another vendor').toEqual(over)
  expect(await finishes(admin, 'google', mixedUp), 'and it is spent').toEqual(over)
  const posing = await visit(await begins(admin, path))
  expect(await finishes(admin, 'google', { state: posing.state })).toEqual(refusal('invalid-request'))
  expect(await finishes(admin, 'google', { ...posing, iss: 'https://evil.example' })).toEqual(over)
  expect(await finishes(admin, 'google', posing), 'and it is spent').toEqual(over)
  const guessed = await begins(admin, path)
  expect(
    await finishes(admin, 'google', {
      state: new URL(guessed).searchParams.get('state')!,
      code: 'guessed-code-4711',
      iss: vendor.url,
    }),
  ).toEqual(refusal('sign-in-failed'))

  const declined = await finishes(admin, 'google', await visit(await begins(admin, path), false))
  expect(declined).toEqual(
    refusal('sign-in-declined', { params: { provider: 'Google', clientId: client.clientId } }),
  )
  const left = await visit(await begins(somebodyElse, path))
  await somebodyElse.post('/auth/logout')
  const hash = createHash('sha256').update(left.state!).digest('hex')
  expect(
    await db.selectFrom('connection_sign_ins').selectAll().where('state_hash', '=', hash).execute(),
  ).toEqual([])
})

test('a sign-in under way ends with another address, another login and the connection, however far it is', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  const elsewhere = await peer((_, response) => response.end('{}'))
  const over = refusal('sign-in-over')
  const renamed = await visit(await begins(admin, path))
  await admin.patch(path, { name: 'Shop', settings: atGoogle() })
  expect((await finishes(admin, 'google', renamed)).status).toBe(200)

  const moves = () => admin.patch(path, { settings: atGoogle(elsewhere.url) })
  const signsBackIn = () =>
    admin.patch(path, { settings: atGoogle(), secrets: { accessToken: 'pasted-4711' } })
  for (const happens of [moves, signsBackIn, () => admin.delete(path)]) {
    const returned = await visit(await begins(admin, path))
    await happens()
    expect(await finishes(admin, 'google', returned)).toEqual(over)
  }
  const other = await connects(client, 'gbp', atGoogle())
  const returned = await visit(await begins(admin, other))
  vendor.beforeTokens(() => admin.patch(other, { settings: atGoogle(elsewhere.url) }))
  expect(await finishes(admin, 'google', returned), 'while the vendor was asked').toEqual(over)
  vendor.beforeTokens()
  expect((await client.operator.post(`${other}/test`)).body.signedIn).toBeNull()
  expect(elsewhere.requests).toEqual([])
})

test('a vendor’s seconds count if they can be meant, its token if it can be sent, and one that fails keeps no other waiting', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  const answers = (more: object) => vendor.beforeTokens((answer) => Object.assign(answer, more))
  for (const seconds of [300_000_000_000, 8e12, 9e15, 1e300, -1, 'soon']) {
    vendor.refreshTokens(seconds === 8e12 ? 'not given' : 'given')
    answers({ expires_in: seconds, refresh_token_expires_in: seconds })
    const { status, body } = await signsIn(path, 'google')
    expect([seconds, status, body]).toMatchObject([
      seconds,
      200,
      { status: 'connected', signedIn: { until: null } },
    ])
  }
  expect((await client.agent.get(at(client))).status).toBe(200)
  answers({ expires_in: '3600', refresh_token_expires_in: 86_400 })
  expect((await signsIn(path, 'google')).body.signedIn.until).toEqual(expect.any(String))

  // What cannot be sent is not kept: what was there before goes on.
  answers({ access_token: 'in\nvalid' })
  expect(await signsIn(path, 'google')).toEqual(refusal('sign-in-failed'))
  await isDue(path)
  expect((await client.operator.post(`${path}/test`)).body.status).toBe('connected')
  vendor.beforeTokens()

  const next = await connects(client, 'gbp', atGoogle())
  await signsIn(next, 'google')
  await db
    .updateTable('connections')
    .set({ sealed_secrets: 'sealed with another key', last_error_reason: null })
    .where('id', '=', path.split('/').at(-1)!)
    .execute()
  const { done } = vendor.renewals
  await isDue(path)
  await isDue(next, new Date(1))
  const isSaid = (line: string) => line.includes('"job":"renew"') && line.includes(path.split('/').at(-1)!)
  await expect
    .poll(async () => {
      await renewsAll()
      return [vendor.renewals.done, lines.some(isSaid)]
    })
    .toEqual([done + 1, true])
  await admin.delete(path)
})

test('a token goes nowhere but to the vendor it is from', async () => {
  const client = await newClient(server)
  const path = await connects(client, 'gbp', atGoogle())
  await signsIn(path, 'google')
  const elsewhere = await peer((_, response) => response.end('{}'))
  const moved = await admin.patch(path, { settings: atGoogle(elsewhere.url) })
  expect(moved.body).toMatchObject({
    status: 'error',
    signedIn: null,
    lastErrorReason: { code: 'sign-in-needed' },
  })
  await client.operator.post(`${path}/test`)
  expect(elsewhere.requests).toEqual([])
})

test('what was allowed on a connection is given back once none is left that needs it, also when the vendor was away', async () => {
  const others = await db
    .updateTable('connections')
    .set({ signed_in_at: null })
    .where('signed_in_at', 'is not', null)
    .returning('id')
    .execute()
  const client = await newClient(server)
  const [path, another] = [
    await connects(client, 'gbp', atGoogle()),
    await connects(client, 'gbp', atGoogle()),
  ]
  const signedIn = async (to: string) => {
    await signsIn(to, 'google')
    return google.tokens.at(-1)!
  }
  const [first, second] = [await signedIn(path), await signedIn(another)]
  const check = (token: string) => vendor.check(token, 'https://www.googleapis.com/auth/business.manage')
  const isDone = async () =>
    (
      await sql<{ state: string }>`select state from jobs.job where name = 'withdraw'
        and data ->> 'clientId' = ${client.clientId} order by created_on`.execute(db)
    ).rows.map(({ state }) => state)

  expect((await admin.delete(path)).status).toBe(204)
  await expect.poll(isDone).toEqual(['completed'])
  expect([await check(first), await check(second)]).toEqual(['good', 'good'])

  vendor.isAwayFor(1)
  expect((await admin.delete(another)).status).toBe(204)
  await expect.poll(() => check(second)).toBe('ended')
  await expect.poll(isDone).toEqual(['completed', 'completed'])

  const third = await signedIn(await connects(client, 'gbp', atGoogle()))
  const { name } = (await admin.get(`/admin/clients/${client.clientId}`)).body
  expect((await admin.delete(`/admin/clients/${client.clientId}`, { confirmName: name })).status).toBe(202)
  await expect.poll(() => check(third), { message: 'removed with its client' }).toBe('ended')
  for (const { id } of others)
    await db.updateTable('connections').set({ signed_in_at: new Date() }).where('id', '=', id).execute()
})

test('no token, code, state or secret of an app is in an answer, an event, the audit trail or a log', async () => {
  const client = await newClient(server)
  const all = JSON.stringify([
    await db.selectFrom('connections').selectAll().execute(),
    await db.selectFrom('connection_sign_ins').selectAll().execute(),
    await db.selectFrom('events').selectAll().execute(),
    (await sql`select data, output from jobs.job`.execute(db)).rows,
    await db.selectFrom('audit_trail').selectAll().execute(),
    (await admin.get(at(client))).body,
    lines,
  ])
  for (const token of [...vendor.issued, ...meta.issued]) secret.add(token)
  expect(secret.size).toBeGreaterThan(30)
  expect([...secret].filter((one) => all.includes(one))).toEqual([])
  const kept = await db
    .selectFrom('connections')
    .select('sealed_secrets')
    .where('signed_in_at', 'is not', null)
    .execute()
  expect(kept.map(({ sealed_secrets }) => JSON.parse(sealer.open(sealed_secrets!)))).toContainEqual({
    accessToken: expect.toSatisfy((token: string) => secret.has(token)),
    refreshToken: expect.toSatisfy((token: string) => secret.has(token)),
  })
})
