import { describe, expect, test } from 'vitest'
import { rolePermissions } from '../contract/access.ts'
import { SlowTurns } from '../server/access/slow-turns.ts'
import { accountOf, noteAttempt } from '../server/access/throttle.ts'
import { versionRow } from '../server/assets/asset.ts'
import { newId } from '../server/ids.ts'
import { makeLibrary, system } from '../server/library.ts'
import { derivedFile } from '../server/previews/derived.ts'
import { proxyName } from '../server/previews/proxies.ts'
import { hashToken } from '../server/secrets.ts'
import { nextEvents } from './event-reader.ts'
import { type Person, person } from './person.ts'
import { pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { adminLogin, type ClientWorld, hasOwnPassword, newHome, ownWorld, startServer } from './world.ts'

const w = await ownWorld({ ROLE: 'api', TRUST_PROXY: 'true' })
const password = 'a long enough password'

describe('logging in', () => {
  test('opens a session that works at once, says who it is, and ends with the logout', async () => {
    const { clientId } = await w.newClient()
    const email = await makesUser({ role: 'client', clientIds: [clientId] })
    const login = await w.nobody.post('/auth/login', { email: ` ${email.toUpperCase()} `, password })
    expect(login.status).toBe(200)
    expect(login.body).toEqual({
      kind: 'user',
      id: expect.stringMatching(/^user_/),
      name: 'Somebody',
      email,
      role: 'client',
      permissions: rolePermissions.client,
      clientId,
      language: null,
      pending: null,
    })
    const somebody = person(w.url, { cookie: cookieOf(login) })
    expect((await somebody.get('/auth/me')).body).toEqual(login.body)
    expect((await somebody.get('/portal/assets')).status).toBe(200)

    const logout = await somebody.post('/auth/logout')
    expect(logout.status).toBe(204)
    expect(logout.headers.get('set-cookie')).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/)
    expect(await somebody.get('/auth/me')).toEqual(refusal('unauthenticated'))
    expect(await somebody.get('/portal/assets')).toEqual(refusal('unauthenticated'))
  })

  test('gives a new session each time, and ends the one it replaces', async () => {
    const email = await makesUser()
    const first = cookieOf(await w.nobody.post('/auth/login', { email, password }))
    const second = cookieOf(await person(w.url, { cookie: first }).post('/auth/login', { email, password }))
    expect(second).not.toBe(first)
    expect((await person(w.url, { cookie: first }).get('/auth/me')).status).toBe(401)
    expect((await person(w.url, { cookie: second }).get('/auth/me')).status).toBe(200)
  })

  test('takes no session id that a caller brings along', async () => {
    const email = await makesUser()
    const chosen = 'session=chosen-by-somebody-else'
    const login = await person(w.url, { cookie: chosen }).post('/auth/login', { email, password })
    expect(cookieOf(login)).not.toBe(chosen)
    expect((await person(w.url, { cookie: chosen }).get('/auth/me')).status).toBe(401)
  })

  test('answers unknown, wrong and inactive alike', async () => {
    const email = await makesUser()
    const inactive = await makesUser()
    const { userId } = await userBy(inactive)
    await w.admin.patch(`/admin/users/${userId}`, { isActive: false })
    const answers = await Promise.all([
      w.nobody.post('/auth/login', { email: `${newId('user')}@example.com`, password }),
      w.nobody.post('/auth/login', { email, password: 'another password' }),
      w.nobody.post('/auth/login', { email: inactive, password }),
      w.nobody.post('/auth/login', { email: inactive, password: '' }),
    ])
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toEqual(refusal('wrong-login'))
      expect(body).toEqual(answers[0]!.body)
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('is slowed down per account, known or not, also when attempts come at once', async () => {
    for (const email of [await makesUser(), `${newId('user')}@example.com`]) {
      const answers = await Promise.all(
        Array.from({ length: 15 }, () => w.nobody.post('/auth/login', { email, password: 'guess' })),
      )
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(5)
      for (const answer of refused) {
        expect(answer).toEqual(refusal('too-many-attempts'))
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      // The right password does not help before the time is over.
      expect(await w.nobody.post('/auth/login', { email, password })).toEqual(refusal('too-many-attempts'))
    }
    await forgetsAttempts()
  })

  test('is open for ten tries, and a success starts the count anew', async () => {
    const email = await makesUser()
    const tries = async (guess: string) =>
      (await w.nobody.post('/auth/login', { email, password: guess })).status
    for (let i = 0; i < 9; i++) expect(await tries('guess')).toBe(401)
    expect(await tries(password)).toBe(200)
    for (let i = 0; i < 10; i++) expect(await tries('guess')).toBe(401)
    expect(await tries(password)).toBe(429)
    await forgetsAttempts()
  })

  test('cannot be shut for somebody by strangers, nor where they have logged in before', async () => {
    const email = await makesUser()
    const first = await w.nobody.post('/auth/login', { email, password })
    const cookie = first.headers.getSetCookie().map((one) => one.split(';')[0])
    const device = cookie.find((one) => one!.startsWith('device='))!
    // Strangers elsewhere, then one behind the same address.
    await addAttempts(`account ${accountOf(email)}`, 1000)
    await addAttempts(`pair ${accountOf(email)} 192.0.2.1`, 1000)
    const known = person(w.url, { cookie: device })
    expect((await known.post('/auth/login', { email, password })).status).toBe(200)
    await addAttempts(`pair ${accountOf(email)} 127.0.0.1`, 10)
    await addAttempts('network 127.0.0.1', 100)
    expect((await w.nobody.post('/auth/login', { email, password })).status).toBe(429)
    expect((await known.post('/auth/login', { email, password })).status).toBe(200)

    // The mark counts for itself, and for its accounts alone.
    for (let i = 0; i < 10; i++) await known.post('/auth/login', { email, password: 'guess' })
    expect((await known.post('/auth/login', { email, password })).status).toBe(429)
    const other = await makesUser()
    expect((await known.post('/auth/login', { email: other, password })).status).toBe(429)
    const forged = person(w.url, { cookie: `${device.slice(0, -6)}AAAA%3D` })
    expect((await forged.post('/auth/login', { email, password })).status).toBe(429)
    await forgetsAttempts()
  })

  test('makes guesses from many networks wait, and refuses none of them for it', async () => {
    for (const email of [await makesUser(), `${newId('user')}@example.com`]) {
      await addAttempts(`account ${accountOf(email)}`, 31)
      const began = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 2 }, () => w.nobody.post('/auth/login', { email, password: 'guess' })),
      )
      expect(answers.map(({ status }) => status)).toEqual([401, 401])
      expect(performance.now() - began).toBeGreaterThan(2 * 490)
    }
    const email = await makesUser()
    await addAttempts(`account ${accountOf(email)}`, 30)
    expect((await w.nobody.post('/auth/login', { email, password })).status).toBe(200)
    await forgetsAttempts()
  })

  test('has a place for a network that has hardly failed, however many others guess', async () => {
    const email = await makesUser()
    const account = `account ${accountOf(email)}`
    const turns = new SlowTurns(1)
    for (const network of ['a', 'b']) void turns.wait(account, network, 30_000)
    await addAttempts(account, 31)
    await addAttempts(`pair ${accountOf(email)} 192.0.2.1`, 3, 60)
    await addAttempts(`pair ${accountOf(email)} 2001:db8:1::/48`, 30, 60)
    const tries = (address: string) =>
      noteAttempt(w.parts.db, turns, { account: email, address, device: undefined })
    const counted = () => w.parts.db.selectFrom('login_attempts').select('bucket').execute()
    const before = await counted()
    for (const address of ['192.0.2.1', '2001:db8:1:7::1'])
      await expect(tries(address)).rejects.toMatchObject({ code: 'too-many-attempts' })
    // Their passwords were never looked at.
    expect(await counted()).toEqual(before)
    await tries('192.0.2.2')
    await tries('2001:db8:2:7::1')
    await forgetsAttempts()
  })

  test('is slowed down for all networks of an IPv6 site together, and for no other', async () => {
    const email = await makesUser()
    const from = (address: string) => person(w.url, { 'x-forwarded-for': address })
    const guesses = await Promise.all(
      Array.from({ length: 34 }, (_, n) =>
        from(`2001:db8:1:${n}::1`).post('/auth/login', { email, password: 'guess' }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(30)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4)
    expect((await from('2001:db8:1:99::1').post('/auth/login', { email, password })).status).toBe(429)
    expect((await from('2001:db8:2:99::1').post('/auth/login', { email, password })).status).toBe(200)
    // A success takes back its own network's failures, not those of others.
    expect((await from('2001:db8:1:99::1').post('/auth/login', { email, password })).status).toBe(429)
    await forgetsAttempts()
  })

  test('is slowed down per network', async () => {
    await w.parts.db
      .insertInto('login_attempts')
      .values(Array.from({ length: 100 }, () => ({ bucket: 'network 127.0.0.1' })))
      .execute()
    const email = await makesUser()
    expect(await w.nobody.post('/auth/login', { email, password })).toEqual(refusal('too-many-attempts'))
    await forgetsAttempts()
    expect((await w.nobody.post('/auth/login', { email, password })).status).toBe(200)
  })

  test('sets a cookie that scripts and other sites cannot use', async () => {
    const email = await makesUser()
    const login = await w.nobody.post('/auth/login', { email, password })
    const cookies = login.headers.getSetCookie()
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['session', 'device'])
    for (const cookie of cookies) {
      const flags = cookie.split('; ').slice(1)
      expect(flags).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']))
      expect(flags).not.toContain('Secure')
    }
  })

  test('over https sets a __Host- cookie that only travels safely', async () => {
    const home = await newHome()
    const server = await startServer({
      ...home.environment,
      ROLE: 'api',
      PUBLIC_URL: 'https://library.example',
    })
    try {
      const nobody = person(server.url, {})
      const login = await nobody.post('/auth/login', adminLogin)
      expect(login.headers.get('set-cookie')).toMatch(/^__Host-session=[\w-]{43};/)
      expect(login.headers.get('set-cookie')!.split('; ').slice(1)).toEqual(
        expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
      )
      const admin = person(server.url, { cookie: cookieOf(login) })
      expect((await admin.get('/auth/me')).status).toBe(200)
      const fromOwnPage = { origin: 'https://library.example' }
      expect((await admin.post('/admin/clients', { name: 'A' }, fromOwnPage)).status).toBe(201)
      const plain = person(server.url, { cookie: cookieOf(login).replace('__Host-', '') })
      expect((await plain.get('/auth/me')).status).toBe(401)
    } finally {
      await server.stop()
      await home.remove()
    }
  })
})

describe('a request that another site has sent', () => {
  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the origin of nowhere', { origin: 'null' }],
    ['our own host on another port', { origin: 'http://127.0.0.1:1' }],
    ['the browser’s word for it', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour’s page', { 'sec-fetch-site': 'same-site' }],
    [
      'a foreign origin, whatever credentials it makes up',
      { origin: 'https://evil.example', authorization: 'Basic eDp4' },
    ],
  ])('is refused by %s', async (_, headers) => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const path = `${operator.door.assets}/folders`
    for (const answer of [
      await operator.post(path, { name: 'Other' }, headers as Record<string, string>),
      await operator.changesFolder(folderId, { name: 'Other' }, headers as Record<string, string>),
      await operator.delete(path, { folderId }, headers as Record<string, string>),
      await operator.post('/auth/logout', undefined, headers as Record<string, string>),
      await w.nobody.post('/auth/login', adminLogin, headers as Record<string, string>),
    ])
      expect(answer).toEqual(refusal('cross-site'))
    expect((await operator.lists()).body.folders).toMatchObject([{ name: 'Menus' }])
    expect((await operator.get(path, headers as Record<string, string>)).status).toBe(200)
  })

  test('cannot be a form either: only JSON is read', async () => {
    const { operator } = await w.newClient()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(
        await operator.post(`${operator.door.assets}/folders`, '{"name":"A"}', { 'content-type': type }),
      ).toEqual(refusal('unsupported-content-type'))
  })

  test('is told from one of our own pages', async () => {
    const { operator, agent } = await w.newClient()
    const own = { origin: w.url, 'sec-fetch-site': 'same-origin' }
    expect((await operator.post(`${operator.door.assets}/folders`, { name: 'A' }, own)).status).toBe(201)
    // A key is never sent by a browser on its own.
    const { status } = await agent.opensUpload({}, { origin: 'https://agents.example' })
    expect(status).toBe(201)
  })
})

/** As if an encoder had made it. */
async function hasLargeCopy(clientId: string, assetId: string) {
  const library = makeLibrary(w.parts, clientId, system)
  const bytes = pngOfSize(24 * 1024 ** 2)
  await derivedFile(library, await versionRow(w.parts.db, library, assetId), proxyName, async () => ({
    ...{ bytes, mimeType: 'video/mp4', width: 2, height: 2 },
  }))
}

describe('rights taken away', () => {
  test('by switching a user off bite on the next request and end an open stream', async () => {
    const { operator } = await w.newClient()
    const stream = await nextEvents(operator)
    expect((await w.admin.patch(`/admin/users/${operator.id}`, { isActive: false })).body.isActive).toBe(
      false,
    )
    expect(await operator.lists()).toEqual(refusal('unauthenticated'))
    await stream.ended
    // Switched on again, it has to log in anew.
    await w.admin.patch(`/admin/users/${operator.id}`, { isActive: true })
    expect(await operator.lists()).toEqual(refusal('unauthenticated'))
  })

  test('by another role bite on the next request', async () => {
    const { operator } = await w.newClient()
    await w.admin.patch(`/admin/users/${operator.id}`, { role: 'viewer' })
    expect((await operator.lists()).status).toBe(200)
    expect(await operator.opensUpload()).toEqual(refusal('forbidden'))
    expect((await operator.get('/auth/me')).body.role).toBe('viewer')
  })

  test('by taking a client away bite on the next request and end an open stream', async () => {
    const { operator } = await w.newClient()
    const { clientId: other } = await w.newClient()
    const stream = await nextEvents(operator)
    await w.admin.patch(`/admin/users/${operator.id}`, { clientIds: [other] })
    expect(await operator.lists()).toEqual(refusal('not-found'))
    await stream.ended
    expect((await operator.get(`/admin/clients/${other}`)).status).toBe(200)
  })

  test('by sending somebody to another client end with what they were answered at the first', async () => {
    const [here, there] = [await w.newClient(), await w.newClient()]
    const asks = () =>
      here.portal.post('/portal/upload-requests', { title: 'Photos' }, { 'idempotency-key': 'moved' })
    const first = await asks()
    expect(first.status).toBe(201)
    expect((await asks()).body).toEqual(first.body)
    await w.admin.patch(`/admin/users/${here.portal.id}`, { clientIds: [there.clientId] })
    expect(await asks()).toEqual(refusal('idempotency-key-reused'))
  })

  test('by deleting a key bite on the next request and end an open stream', async () => {
    const { agent } = await w.newClient()
    const stream = await nextEvents(agent)
    expect((await w.admin.delete(`/admin/api-keys/${agent.id}`)).status).toBe(204)
    expect(await agent.lists()).toEqual(refusal('unauthenticated'))
    await stream.ended
    expect(await w.admin.delete(`/admin/api-keys/${agent.id}`)).toEqual(refusal('not-found'))
  })

  test.each([
    [
      'a user switched off',
      (one: ClientWorld) => w.admin.patch(`/admin/users/${one.operator.id}`, { isActive: false }),
      'operator',
    ],
    [
      'a client taken away',
      (one: ClientWorld) => w.admin.patch(`/admin/users/${one.viewer.id}`, { clientIds: [] }),
      'viewer',
    ],
    ['a logout', (one: ClientWorld) => one.portal.post('/auth/logout'), 'portal'],
    ['a deleted key', (one: ClientWorld) => w.admin.delete(`/admin/api-keys/${one.agent.id}`), 'agent'],
  ] as const)(
    'by %s break off an archive, an original and a playable copy that are being sent, and end previews',
    async (_, takesAway, who) => {
      const client = await w.newClient()
      const { folderId } = await client.operator.makesFolder('Large')
      const { assetId } = await client.operator.uploads(pngOfSize(24 * 1024 ** 2), { session: { folderId } })
      await hasLargeCopy(client.clientId, assetId)
      const reader = client[who]
      const at = `${reader.door.assets}/`
      const preview = `${at}${assetId}/preview?size=thumb`
      expect((await reader.fetch(preview)).status).toBe(200)
      const sending = await Promise.all(
        [
          `${at}folders/download?folderId=${folderId}`,
          ...['content', 'proxy'].map((file) => `${at}${assetId}/${file}`),
        ].map((path) => reader.fetch(path)),
      )
      const bodies = sending.map(({ body }) => body!.getReader())
      for (const body of bodies) expect((await body.read()).done).toBe(false)

      expect((await takesAway(client)).status).toBeLessThan(300)
      for (const body of bodies) await expect(readsToTheEnd(body)).rejects.toThrow('terminated')
      expect((await reader.fetch(preview)).status).toBe(who === 'viewer' ? 404 : 401)
    },
  )

  test('of somebody else leave a download alone', async () => {
    const { operator, portal } = await w.newClient()
    const { assetId } = await operator.uploads(pngOfSize(24 * 1024 ** 2))
    const { body } = await operator.fetch(`${operator.door.assets}/${assetId}/content`)
    const reader = body!.getReader()
    await reader.read()
    await portal.post('/auth/logout')
    await readsToTheEnd(reader)
  })

  test('by a logout end an open stream', async () => {
    const { portal } = await w.newClient()
    const stream = await nextEvents(portal)
    await portal.post('/auth/logout')
    await stream.ended
  })

  test('by a new password end every session of the user', async () => {
    const email = await makesUser()
    const sessions = await Promise.all([1, 2].map(() => w.login(email, password)))
    const { userId } = await userBy(email)
    await w.admin.patch(`/admin/users/${userId}`, { password: 'another long password' })
    for (const session of sessions) expect((await session.get('/auth/me')).status).toBe(401)
    expect((await w.nobody.post('/auth/login', { email, password })).status).toBe(401)
    await w.login(email, 'another long password')
  })

  test('by time end a session', async () => {
    const { viewer } = await w.newClient()
    await w.parts.db
      .updateTable('login_sessions')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', viewer.id)
      .execute()
    expect(await viewer.lists()).toEqual(refusal('unauthenticated'))
  })
})

describe('users', () => {
  test('get a generated password that is shown once', async () => {
    const email = `${newId('user')}@example.com`
    const { status, body } = await w.admin.post('/admin/users', { email, name: ' Ann ', role: 'operator' })
    expect(status).toBe(201)
    expect(body).toEqual({
      userId: expect.stringMatching(/^user_/),
      email,
      name: 'Ann',
      role: 'operator',
      isActive: true,
      hasSecondFactor: false,
      clientIds: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      password: expect.stringMatching(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/),
    })
    await w.login(email, body.password)
    const listed = await w.admin.get('/admin/users')
    expect(
      listed.body.users.find((user: { userId: string }) => user.userId === body.userId),
    ).not.toHaveProperty('password')
    expect(JSON.stringify(listed.body)).not.toContain(body.password)
    expect((await w.admin.patch(`/admin/users/${body.userId}`, { name: 'Anna' })).body).not.toHaveProperty(
      'password',
    )
  })

  test.each(['short', 'password1234', 'PassWord1234', 'qwertyuiop123', 'x'.repeat(11)])(
    'are refused the weak password %s',
    async (weak) => {
      const email = `${newId('user')}@example.com`
      const user = { email, name: 'A', role: 'viewer', password: weak }
      expect(await w.admin.post('/admin/users', user)).toEqual(refusal('weak-password'))
      const { viewer } = await w.newClient()
      expect(await w.admin.patch(`/admin/users/${viewer.id}`, { password: weak })).toEqual(
        refusal('weak-password'),
      )
    },
  )

  test('have an e-mail of their own, whatever its letters', async () => {
    const email = await makesUser()
    expect(
      await w.admin.post('/admin/users', { email: email.toUpperCase(), name: 'B', role: 'viewer', password }),
    ).toEqual(refusal('email-taken'))
  })

  test('have an e-mail that a browser takes for one; its host needs no dot', async () => {
    const makes = (email: string) =>
      w.admin.post('/admin/users', { email, name: 'B', role: 'viewer', password })
    for (const none of [
      'vera',
      '@example.com',
      'vera@',
      've ra@example.com',
      '<vera>@example.com',
      'vera@-a.de',
    ])
      expect(await makes(none), none).toEqual(refusal('invalid-request'))
    expect((await makes(`${newId('user')}@intranet`)).status).toBe(201)
  })

  test('of a client belong to exactly one', async () => {
    const [a, b] = [await w.newClient(), await w.newClient()]
    for (const clientIds of [undefined, null, [], [a.clientId, b.clientId]])
      expect(
        await w.admin.post('/admin/users', {
          email: `${newId('user')}@example.com`,
          name: 'C',
          role: 'client',
          password,
          clientIds,
        }),
      ).toEqual(refusal('invalid-request'))
    expect(await w.admin.patch(`/admin/users/${a.portal.id}`, { clientIds: [] })).toEqual(
      refusal('invalid-request'),
    )
    expect((await a.portal.get('/auth/me')).body.clientId).toBe(a.clientId)
  })

  test('cannot be given a client that is not there', async () => {
    for (const id of [newId('client'), newId('asset'), 'odd'])
      expect(
        await w.admin.post('/admin/users', {
          email: `${newId('user')}@example.com`,
          name: 'C',
          role: 'viewer',
          password,
          clientIds: [id],
        }),
      ).toEqual(refusal('not-found'))
  })

  test('include an active admin at all times', async () => {
    const { body: me } = await w.admin.get('/auth/me')
    for (const change of [{ isActive: false }, { role: 'viewer' }])
      expect(await w.admin.patch(`/admin/users/${me.id}`, change)).toEqual(refusal('in-use'))
    const second = await userBy(await makesUser({ role: 'admin' }))
    const answers = await Promise.all([
      w.admin.patch(`/admin/users/${second.userId}`, { isActive: false }),
      w.admin.patch(`/admin/users/${second.userId}`, { role: 'viewer' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await w.admin.get('/auth/me')).status).toBe(200)
  })

  test('cannot switch each other off both at once', async () => {
    const home = await newHome()
    const server = await startServer({ ...home.environment, ROLE: 'api' })
    try {
      const nobody = person(server.url, {})
      const admin = person(server.url, { cookie: cookieOf(await nobody.post('/auth/login', adminLogin)) })
      const { body: me } = await admin.get('/auth/me')
      const { body: other } = await admin.post('/admin/users', {
        email: 'b@example.com',
        name: 'B',
        role: 'admin',
        password,
      })
      const answers = await Promise.all(
        [me.id, other.userId].map((id) => admin.patch(`/admin/users/${id}`, { isActive: false })),
      )
      const active = await server.parts.db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .where('is_active', '=', true)
        .execute()
      expect(active).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => ![200, 401, 409].includes(status))).toEqual([])
    } finally {
      await server.stop()
      await home.remove()
    }
  })
})

describe('keys', () => {
  test('are shown once, name their clients and open those only', async () => {
    const [a, b] = [await w.newClient(), await w.newClient()]
    const { status, body } = await w.admin.post('/admin/api-keys', {
      name: 'Poster',
      role: 'agent',
      clientIds: [a.clientId, a.clientId],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      keyId: expect.stringMatching(/^key_/),
      name: 'Poster',
      role: 'agent',
      clientIds: [a.clientId],
      createdAt: expect.any(String),
      lastUsedAt: null,
      apiKey: expect.stringMatching(/^cal_[\w-]{43}$/),
    })
    const agent = person(w.url, { authorization: `Bearer ${body.apiKey}` })
    expect((await agent.get('/auth/me')).body).toMatchObject({ kind: 'key', id: body.keyId, role: 'agent' })
    expect((await agent.get(`/admin/clients/${a.clientId}/assets`)).status).toBe(200)
    expect((await agent.get(`/admin/clients/${b.clientId}/assets`)).status).toBe(404)
    const { body: listed } = await w.admin.get('/admin/api-keys')
    expect(JSON.stringify(listed)).not.toContain(body.apiKey)
    const seen = listed.apiKeys.find((key: { keyId: string }) => key.keyId === body.keyId)
    expect(seen.lastUsedAt).toEqual(expect.any(String))
  })

  test('that are odd open nothing', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer ',
      'Bearer x',
      `Bearer ${'x'.repeat(5000)}`,
      'Basic YTpi',
      "Bearer ' or 1=1",
    ])
      expect(await person(w.url, { authorization }).get('/auth/me')).toEqual(refusal('unauthenticated'))
  })

  test('and sessions and passwords are stored as hashes only', async () => {
    const { clientId } = await w.newClient()
    const { body: key } = await w.admin.post('/admin/api-keys', {
      name: 'K',
      role: 'agent',
      clientIds: [clientId],
    })
    const email = await makesUser()
    const token = cookieOf(await w.nobody.post('/auth/login', { email, password })).split('=')[1]!
    const { db } = w.parts
    const sessions = await db.selectFrom('login_sessions').selectAll().execute()
    const keys = await db.selectFrom('api_keys').selectAll().execute()
    const users = await db.selectFrom('users').selectAll().where('email', '=', email).execute()
    expect(sessions.map((session) => session.token_hash)).toContain(hashToken(token))
    expect(keys.map((each) => each.token_hash)).toContain(hashToken(key.apiKey))
    expect(users[0]!.password_hash).toMatch(/^\$argon2id\$/)
    const everything = JSON.stringify([sessions, keys, users])
    for (const secret of [token, key.apiKey, password]) expect(everything).not.toContain(secret)
  })
})

describe('an Idempotency-Key', () => {
  const creations: [string, (client: string) => [string, object, object]][] = [
    [
      'users',
      () => {
        const user = { email: `${newId('user')}@example.com`, name: 'A', role: 'viewer' }
        return ['/admin/users', user, { ...user, email: `${newId('user')}@example.com` }]
      },
    ],
    [
      'keys',
      (clientId) => {
        const key = { name: 'A', role: 'agent', clientIds: [clientId] }
        return ['/admin/api-keys', key, { ...key, role: 'social-agent' }]
      },
    ],
    ['clients', () => ['/admin/clients', { name: 'A' }, { name: 'A', quotaBytes: 5 }]],
    [
      'ads connections',
      (clientId) => {
        const connection = { clientId, status: 'connected' }
        return ['/admin/meta-ads/connections', connection, { ...connection, status: 'expired' }]
      },
    ],
    ['folders', (clientId) => [`/admin/clients/${clientId}/assets/folders`, { name: 'A' }, { name: 'B' }]],
    [
      'upload sessions',
      (clientId) => {
        const file = { originalFilename: 'a.png', mimeType: 'image/png', expectedSizeBytes: 9 }
        return [`/admin/clients/${clientId}/assets/upload-session`, file, { ...file, expectedSizeBytes: 8 }]
      },
    ],
  ]

  test.each(creations)('makes %s once: the same answer, secrets included', async (_, example) => {
    const { clientId } = await w.newClient()
    const [path, body, other] = example(clientId)
    const key = { 'idempotency-key': newId('key') }
    const answers = await Promise.all(Array.from({ length: 5 }, () => w.admin.post(path, body, key)))
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: answers[0]!.body })
    expect(answers[0]!.body).toEqual((await w.admin.post(path, body, key)).body)
    expect(await w.admin.post(path, other, key)).toEqual(refusal('idempotency-key-reused'))
    expect((await w.admin.post(path, other, { 'idempotency-key': newId('key') })).status).toBe(201)
  })

  test('belongs to its caller', async () => {
    const [a, b] = [await w.newClient(), await w.newClient()]
    const key = { 'idempotency-key': 'mine' }
    const makes = (someone: Person) => someone.post(`${someone.door.assets}/folders`, { name: 'A' }, key)
    const [first, second] = [await makes(a.portal), await makes(b.portal)]
    expect(second.body.folderId).not.toBe(first.body.folderId)
  })

  test('keeps no secret readable in the database', async () => {
    const { clientId } = await w.newClient()
    const { body } = await w.admin.post(
      '/admin/api-keys',
      { name: 'A', role: 'agent', clientIds: [clientId] },
      { 'idempotency-key': newId('key') },
    )
    const kept = await w.parts.db.selectFrom('idempotent_answers').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(body.apiKey)
    expect(JSON.stringify(kept)).not.toContain(body.keyId)
  })

  test('of a request that was refused may be used again', async () => {
    const { operator } = await w.newClient()
    const taken = await operator.makesFolder('A')
    const makes = () =>
      operator.post(`${operator.door.assets}/folders`, { name: 'A' }, { 'idempotency-key': 'again' })
    expect(await makes()).toEqual(refusal('folder-name-taken'))
    await operator.deletesFolder(taken.folderId)
    expect((await makes()).status).toBe(201)
  })

  test('that is odd is refused', async () => {
    const { operator } = await w.newClient()
    for (const key of ['with space', 'x'.repeat(201)])
      expect(
        await operator.post(`${operator.door.assets}/folders`, { name: 'A' }, { 'idempotency-key': key }),
      ).toEqual(refusal('invalid-request'))
  })
})

async function readsToTheEnd(body: ReadableStreamDefaultReader): Promise<void> {
  while (!(await body.read()).done);
}

async function makesUser(more: object = {}): Promise<string> {
  const email = `${newId('user')}@example.com`
  const user = { email, name: 'Somebody', role: 'operator', password, ...more }
  const { status, body } = await w.admin.post('/admin/users', user)
  expect([status, body.code]).toEqual([201, undefined])
  await hasOwnPassword(w, email)
  return email
}

async function userBy(email: string): Promise<{ userId: string }> {
  const { body } = await w.admin.get('/admin/users')
  return body.users.find((user: { email: string }) => user.email === email)
}

const addAttempts = (bucket: string, count: number, minutesAgo = 0) =>
  w.parts.db
    .insertInto('login_attempts')
    .values(
      Array.from({ length: count }, () => ({
        bucket,
        attempted_at: new Date(Date.now() - minutesAgo * 60_000),
      })),
    )
    .execute()
const forgetsAttempts = () => w.parts.db.deleteFrom('login_attempts').execute()

const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')!.split(';')[0]!
