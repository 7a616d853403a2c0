import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Session } from '../contract/access.ts'
import { firstAdmin } from '../server/access/first-admin.ts'
import { codeOf } from '../server/access/second-factor/totp.ts'
import { newId } from '../server/ids.ts'
import { hashToken } from '../server/secrets.ts'
import { nextEvents } from './event-reader.ts'
import { linkIn, type Mail, mailServer } from './mailbox.ts'
import { type Person, person } from './person.ts'
import { refusal } from './refusal.ts'
import { statementsOf } from './statements.ts'
import { adminLogin, hasOwnPassword, newHome, ownWorld, startServer } from './world.ts'

const post = await mailServer()
const w = await ownWorld({ ...post.environment, TRUST_PROXY: 'true' })
const { db } = w.parts
const password = 'a long enough password'
const another = 'another quite long password'

/** Somebody with a login of their own, in a browser of their own. */
async function newPerson(more: object = {}) {
  const email = `${newId('user')}@example.com`
  const { body } = await w.admin.post('/admin/users', {
    email,
    name: 'Nora Lind',
    role: 'viewer',
    password,
    ...more,
  })
  await hasOwnPassword(w, email)
  return { email, userId: body.userId as string, me: await w.login(email, password) }
}

const logsIn = (email: string, given: string) => w.nobody.post('/auth/login', { email, password: given })
const trailOf = (userId: string) =>
  db
    .selectFrom('audit_trail')
    .select(['action', 'details'])
    .where('thing', '=', userId)
    .orderBy('id')
    .execute()
const sessionsOf = async (someone: Person): Promise<Session[]> =>
  (await someone.get('/auth/sessions')).body.sessions

describe('a password that somebody else has chosen', () => {
  test('opens nothing but the way to one of one’s own', async () => {
    const { clientId } = await w.newClient()
    const email = `${newId('user')}@example.com`
    await w.admin.post('/admin/users', {
      email,
      name: 'New',
      role: 'client',
      clientIds: [clientId],
      password,
    })
    const me = await w.login(email, password)
    expect((await me.get('/auth/me')).body).toMatchObject({ pending: 'password', permissions: [] })
    for (const closed of ['/portal/assets', '/portal/events', '/auth/sessions'])
      expect(await me.get(closed), closed).toEqual(refusal('password-change-needed'))
    expect(await me.patch('/auth/me', { name: 'Me' })).toEqual(refusal('password-change-needed'))
    expect((await me.get('/status')).body.checks.jobs.detail).toBeUndefined()

    expect(await me.post('/auth/password', { current: 'not this one', next: another })).toEqual(
      refusal('wrong-password'),
    )
    for (const next of [password, 'short', 'passwordpassword'])
      expect(await me.post('/auth/password', { current: password, next })).toEqual(refusal('weak-password'))
    const changed = await me.post('/auth/password', { current: password, next: another })
    expect(changed).toMatchObject({ status: 200, body: { pending: null, clientId } })
    expect((await me.get('/portal/assets')).status).toBe(200)
    expect((await logsIn(email, another)).body.pending).toBeNull()

    // One that an administrator sets later has to go, too.
    await w.admin.patch(`/admin/users/${changed.body.id}`, { password })
    expect((await logsIn(email, password)).body.pending).toBe('password')
  })

  test('was printed for the first admin, or stands in a setting and stays', async () => {
    const home = await newHome()
    const server = await startServer({ ...home.environment, ROLE: 'api' })
    try {
      const pending = async (login: { email: string; password?: string }) =>
        (await person(server.url, {}).post('/auth/login', login)).body.pending
      expect(await pending(adminLogin)).toBeNull()
      await server.parts.db.deleteFrom('users').execute()
      const printed = await firstAdmin(server.parts.db, { email: adminLogin.email, password: undefined })
      expect(await pending(printed!)).toBe('password')
    } finally {
      await server.stop()
      await home.remove()
    }
  })
})

describe('one’s own account', () => {
  test('name and language are changed at once, and kept', async () => {
    const { me, userId } = await newPerson()
    const { status, body } = await me.patch('/auth/me', { name: ' Nora Berg ', language: 'de' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Nora Berg', language: 'de', emailToConfirm: null })
    expect((await me.get('/auth/me')).body).toMatchObject({ name: 'Nora Berg', language: 'de' })
    expect((await me.patch('/auth/me', { language: 'fr' })).status).toBe(400)
    expect((await me.patch('/auth/me', { role: 'admin' })).status).toBe(400)
    expect(await trailOf(userId)).toContainEqual({
      action: 'user.updated',
      details: { changed: ['name', 'language'] },
    })
  })

  test('is no key’s', async () => {
    const { agent } = await w.newClient()
    expect(await agent.patch('/auth/me', { name: 'Agent' })).toEqual(refusal('forbidden'))
    expect(await agent.get('/auth/sessions')).toEqual(refusal('forbidden'))
  })

  test('a new password logs everybody else out, ends their streams and their links', async () => {
    const { clientId } = await w.newClient()
    const { email, userId, me } = await newPerson({ role: 'operator', clientIds: [clientId] })
    const elsewhere = await w.login(email, password)
    const stream = await nextEvents(elsewhere.at({ assets: '', events: `/admin/clients/${clientId}/events` }))
    await w.nobody.post('/auth/forgot', { email })
    const { token } = linkIn(await post.next(email))
    expect((await me.post('/auth/password', { current: password, next: another })).status).toBe(200)
    await stream.ended
    expect((await elsewhere.get('/auth/me')).status).toBe(401)
    expect((await me.get('/auth/me')).status).toBe(200)
    expect(await w.nobody.post('/auth/reset', { token, password })).toEqual(refusal('link-over'))
    expect((await logsIn(email, password)).status).toBe(401)
    expect(await trailOf(userId)).toContainEqual({
      action: 'user.updated',
      details: { changed: ['password'] },
    })
  })

  test('the present password cannot be guessed at for ever', async () => {
    const { me } = await newPerson()
    const guess = () => me.post('/auth/password', { current: 'a guess', next: another })
    for (let i = 0; i < 10; i++) expect(await guess()).toEqual(refusal('wrong-password'))
    expect(await guess()).toEqual(refusal('too-many-attempts'))
    expect(await me.patch('/auth/me', { email: 'x@example.com', password })).toEqual(
      refusal('too-many-attempts'),
    )
    await db.deleteFrom('login_attempts').execute()
  })

  test('sessions are listed, ended one by one and all at once', async () => {
    const { email, me } = await newPerson()
    const phone = person(w.url, { cookie: me.credentials.cookie! })
    const [second, third] = [await w.login(email, password), await w.login(email, password)]
    const sessions = await sessionsOf(phone)
    expect(sessions).toHaveLength(3)
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect(sessions[0]).toMatchObject({ method: 'password', address: '127.0.0.1', userAgent: 'node' })
    expect(JSON.stringify(sessions)).not.toContain(me.credentials.cookie!.split('=')[1])

    const other = (await sessionsOf(second)).find(({ isCurrent }) => isCurrent)!
    expect((await me.delete(`/auth/sessions/${other.sessionId}`)).status).toBe(204)
    expect((await second.get('/auth/me')).status).toBe(401)
    expect((await third.get('/auth/me')).status).toBe(200)
    // Of somebody else's there is nothing to be seen.
    const stranger = await newPerson()
    const [theirs] = await sessionsOf(stranger.me)
    expect(await me.delete(`/auth/sessions/${theirs!.sessionId}`)).toEqual(refusal('not-found'))

    expect((await me.delete('/auth/sessions')).body).toEqual({ ended: 1 })
    expect((await third.get('/auth/me')).status).toBe(401)
    expect(await sessionsOf(me)).toHaveLength(1)
    expect((await stranger.me.get('/auth/me')).status).toBe(200)
  })

  test('when a session was last used is kept', async () => {
    const { me, userId } = await newPerson()
    await db
      .updateTable('login_sessions')
      .set({ last_used_at: new Date(0) })
      .where('user_id', '=', userId)
      .execute()
    const [session] = await sessionsOf(me)
    expect(Date.parse(session!.lastUsedAt)).toBeGreaterThan(Date.now() - 600_000)
  })
})

describe('a password that was stolen', () => {
  test('changes nothing in the moment in which an administrator takes it away', async () => {
    for (const delay of [0, 10, 20]) {
      const { email, userId, me } = await newPerson()
      const stolen = me.post('/auth/password', { current: password, next: another })
      const renamed = me.patch('/auth/me', { name: 'Somebody Else', email: 'thief@example.com', password })
      await pause(delay)
      const given = `from the administrator ${delay}`
      expect((await w.admin.patch(`/admin/users/${userId}`, { password: given })).status).toBe(200)
      expect([200, 401, 403]).toContain((await stolen).status)
      expect([200, 401, 403]).toContain((await renamed).status)
      expect((await logsIn(email, another)).status, `after ${delay} ms`).toBe(401)
      expect((await logsIn(email, given)).status).toBe(200)
    }
  })

  test('lets nobody in in the moment in which a link replaces it', async () => {
    for (const delay of [0, 10, 20]) {
      const { email, userId } = await newPerson()
      await w.admin.post(`/admin/users/${userId}/invite`)
      const { token } = linkIn(await post.next(email))
      const chosen = w.nobody.post('/auth/accept-invitation', { token, password: another })
      await pause(delay)
      const thief = await w.nobody.post('/auth/login', { email, password })
      expect((await chosen).status).toBe(200)
      const cookie = thief.headers.get('set-cookie')?.split(';')[0]
      if (thief.status === 200)
        expect((await person(w.url, { cookie: cookie! }).get('/auth/me')).status, `after ${delay} ms`).toBe(
          401,
        )
      else expect(thief).toEqual(refusal('wrong-login'))
    }
  })

  test('changes it once, however many ask at once', async () => {
    const { email, me } = await newPerson()
    const all = [1, 2, 3, 4].map((n) =>
      me.post('/auth/password', { current: password, next: `${another} ${n}` }),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect((await logsIn(email, `${another} ${statuses.indexOf(200) + 1}`)).status).toBe(200)
  })
})

test('a link ends with the e-mail it was sent to, and with the rights it was sent for', async () => {
  const { clientId } = await w.newClient()
  const changes = [{ role: 'operator' }, { clientIds: [clientId] }]
  for (const change of changes) {
    const { email, userId } = await newPerson()
    await w.admin.post(`/admin/users/${userId}/invite`)
    const { token } = linkIn(await post.next(email))
    expect((await w.admin.patch(`/admin/users/${userId}`, change)).status).toBe(200)
    expect(await w.nobody.post('/auth/accept-invitation', { token, password: another })).toEqual(
      refusal('link-over'),
    )
  }
})

describe('a new e-mail', () => {
  const newAddress = () => `new-${newId('user')}@example.com`

  test('needs the password, counts when its link is followed, and the old address is told', async () => {
    const { email, me, userId } = await newPerson()
    await me.patch('/auth/me', { language: 'de' })
    const wanted = newAddress()
    expect(await me.patch('/auth/me', { email: wanted })).toEqual(refusal('wrong-password'))
    const asked = await me.patch('/auth/me', { email: wanted, password })
    expect(asked.body).toMatchObject({ email, emailToConfirm: wanted })
    const mail = await post.next(wanted)
    expect(mail.subject).toBe('=?UTF-8?Q?E-Mail-Adresse_best=C3=A4tigen?=')
    expect((await w.nobody.post('/auth/confirm-email', { token: linkIn(mail).token })).body).toEqual({
      email: wanted,
    })
    expect((await post.next(email)).text).toContain('sagen Sie es sofort Ihrer Administration')
    expect((await me.get('/auth/me')).body.email).toBe(wanted)
    expect((await logsIn(wanted, password)).status).toBe(200)
    expect((await logsIn(email, password)).status).toBe(401)
    expect((await trailOf(userId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.email-asked', 'user.email-confirmed']),
    )
  })

  test('that somebody has already is found out by nobody but its owner', async () => {
    const [{ me }, { email: taken }] = [await newPerson(), await newPerson()]
    const answers = [
      await me.patch('/auth/me', { email: taken, password }),
      await me.patch('/auth/me', { email: newAddress(), password }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(Object.keys(answers[0]!.body))
    }
    const { token } = linkIn(await post.next(taken))
    expect(await w.nobody.post('/auth/confirm-email', { token })).toEqual(refusal('email-taken'))
    // Nobody is sent mail without end.
    for (let i = 0; i < 3; i++) await me.patch('/auth/me', { email: taken, password })
    expect(await me.patch('/auth/me', { email: taken, password })).toEqual(refusal('too-many-attempts'))
  })
})

describe('a forgotten password', () => {
  test('is mended by a link that works once, logs everybody out and is kept as a hash', async () => {
    const { email, userId, me } = await newPerson()
    expect(await w.nobody.post('/auth/forgot', { email: ` ${email.toUpperCase()}` })).toMatchObject({
      status: 202,
      body: { accepted: true },
    })
    const mail = await post.next(email)
    const { url, token } = linkIn(mail)
    expect(url.startsWith(`${w.url}/app/reset-password#`)).toBe(true)
    expect(mail.html).toContain(url)
    expect(token).toMatch(/^[\w-]{43}$/)
    const links = await db.selectFrom('login_links').selectAll().where('user_id', '=', userId).execute()
    expect(links).toMatchObject([{ token_hash: hashToken(token), purpose: 'reset' }])
    const { rows: jobs } = await sql<{ line: string }>`select data::text as line from jobs.job`.execute(db)
    for (const secret of [token, email]) expect(jobs.map(({ line }) => line).join()).not.toContain(secret)

    // Whoever looks at what a link leads to does not use it up: neither a preview nor a crawler.
    for (const method of ['GET', 'HEAD']) await fetch(url, { method })
    await w.nobody.get(`/app/reset-password?token=${token}`)
    expect(await w.nobody.get('/auth/reset')).toEqual(refusal('not-found'))
    expect(await w.nobody.post('/auth/reset', { token, password: 'short' })).toEqual(refusal('weak-password'))
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => w.nobody.post('/auth/reset', { token, password: another })),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410])
    expect(tries.find(({ status }) => status === 200)!.body).toEqual({ email })
    expect((await me.get('/auth/me')).status).toBe(401)
    expect((await logsIn(email, another)).status).toBe(200)
    expect((await trailOf(userId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.reset-asked', 'user.password-reset']),
    )
  })

  test('costs the same work and gets the same answer whether there is such a person or not', async () => {
    const { email } = await newPerson()
    const nobody = await startServer({ ...w.environment, ROLE: 'api', PORT: undefined })
    const statements = statementsOf(nobody)
    try {
      const work = async (address: string) => {
        statements.length = 0
        const { status, body, headers } = await person(nobody.url, {}).post('/auth/forgot', {
          email: address,
        })
        const ours = statements.filter((text) => /login_|users|advisory|'forgotten'/i.test(text))
        return { status, body, headers: [...headers.keys()].sort(), ours }
      }
      const known = await work(email)
      expect(known.ours.length).toBeGreaterThan(2)
      expect(known.ours.join()).not.toMatch(/\busers\b/)
      expect(await work(`${newId('user')}@example.com`)).toEqual(known)
    } finally {
      await nobody.stop()
    }
  })

  test('is asked for without end by nobody, and is not used to fill a mailbox', async () => {
    const { email, userId } = await newPerson()
    const ask = (address: string) =>
      person(w.url, { 'x-forwarded-for': address }).post('/auth/forgot', { email })
    for (let i = 0; i < 10; i++) expect((await ask('198.51.100.1')).status).toBe(202)
    expect(await ask('198.51.100.1')).toEqual(refusal('too-many-attempts'))
    expect((await ask('198.51.100.2')).status).toBe(202)
    const waiting = () =>
      sql<{
        count: number
      }>`select count(*)::int as count from jobs.job where name = 'forgotten' and state < 'completed'`.execute(
        db,
      )
    await expect.poll(async () => (await waiting()).rows[0]!.count, { timeout: 60_000 }).toBe(0)
    const links = await db
      .selectFrom('login_links')
      .select('token_hash')
      .where('user_id', '=', userId)
      .execute()
    expect(links).toHaveLength(5)
    await db.deleteFrom('login_attempts').execute()
  })

  test('is nothing that somebody who was switched off can mend, and a link is over after an hour', async () => {
    const { email, userId } = await newPerson()
    await w.nobody.post('/auth/forgot', { email })
    const first = await post.next(email)
    await w.admin.patch(`/admin/users/${userId}`, { isActive: false })
    const follow = (mail: Mail) =>
      w.nobody.post('/auth/reset', { token: linkIn(mail).token, password: another })
    expect(await follow(first)).toEqual(refusal('link-over'))
    await w.admin.patch(`/admin/users/${userId}`, { isActive: true })
    expect(await follow(first)).toEqual(refusal('link-over'))
    await w.nobody.post('/auth/forgot', { email })
    const second = await post.next(email, [first])
    const { created_at, expires_at } = await db
      .selectFrom('login_links')
      .select(['created_at', 'expires_at'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(Math.abs(+expires_at - +created_at - 3_600_000)).toBeLessThan(60_000)
    await db
      .updateTable('login_links')
      .set({ expires_at: new Date() })
      .where('user_id', '=', userId)
      .execute()
    expect(await follow(second)).toEqual(refusal('link-over'))
  })

  test('guesses at links are slowed down for their network', async () => {
    const from = person(w.url, { 'x-forwarded-for': '198.51.100.77' })
    await db
      .insertInto('login_attempts')
      .values(Array.from({ length: 99 }, () => ({ bucket: 'network 198.51.100.77' })))
      .execute()
    const guess = (path: string) =>
      from.post(path, { token: newId('key'), ...(path.includes('email') ? {} : { password: another }) })
    expect(await guess('/auth/reset')).toEqual(refusal('link-over'))
    for (const path of ['/auth/reset', '/auth/accept-invitation', '/auth/confirm-email'])
      expect(await guess(path)).toEqual(refusal('too-many-attempts'))
    for (const path of ['/auth/forgot', '/auth/reset'])
      expect(
        await w.nobody.post(
          path,
          path === '/auth/forgot' ? { email: 'a@b' } : { token: 'x', password: another },
          {
            origin: 'https://evil.example',
          },
        ),
      ).toEqual(refusal('cross-site'))
    await db.deleteFrom('login_attempts').execute()
  })
})

describe('an invitation', () => {
  test('is mailed in the language of who invites, and lets a person choose their password', async () => {
    const email = `${newId('user')}@example.com`
    const { body: user } = await w.admin.post('/admin/users', {
      email,
      name: '<b>Ola</b> & Co',
      role: 'viewer',
    })
    const invite = () => w.admin.post(`/admin/users/${user.userId}/invite`)
    expect((await invite()).body).toEqual({ sentTo: email, link: null, expiresAt: expect.any(String) })
    const first = await post.next(email)
    expect(first.html).toContain('Hello &lt;b&gt;Ola&lt;/b&gt; &amp; Co,')
    // The last one is the one that counts; a link for one thing opens no other.
    await invite()
    const { token } = linkIn(await post.next(email, [first]))
    const accept = (it: string) => w.nobody.post('/auth/accept-invitation', { token: it, password: another })
    expect(await accept(linkIn(first).token)).toEqual(refusal('link-over'))
    expect(await w.nobody.post('/auth/reset', { token, password: another })).toEqual(refusal('link-over'))
    expect((await accept(token)).body).toEqual({ email })
    expect((await logsIn(email, another)).body).toMatchObject({ pending: null, role: 'viewer' })
    expect((await trailOf(user.userId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.invited', 'user.invitation-accepted']),
    )
    await w.admin.patch(`/admin/users/${user.userId}`, { isActive: false })
    expect(await invite()).toEqual(refusal('in-use'))
  })

  test('is handed over as a link where no mail server is set, and a forgotten password stays so', async () => {
    const server = await startServer({ ...w.environment, ROLE: 'api', PORT: undefined, SMTP_URL: '' })
    try {
      const { email, userId, me } = await newPerson()
      const [admin, nobody] = [person(server.url, w.admin.credentials), person(server.url, {})]
      expect((await nobody.get('/auth/options')).body.mail).toBe(false)
      expect((await nobody.post('/auth/forgot', { email })).status).toBe(202)
      const { sentTo, link } = (await admin.post(`/admin/users/${userId}/invite`)).body
      expect(sentTo).toBeNull()
      const answer = await nobody.post('/auth/accept-invitation', {
        token: link.split('#')[1],
        password: another,
      })
      expect(answer.body).toEqual({ email })
      expect((await me.get('/auth/me')).status).toBe(401)
      // Their own e-mail counts at once.
      const mine = person(server.url, { cookie: (await w.login(email, another)).credentials.cookie! })
      const wanted = `new-${newId('user')}@example.com`
      const taken = { email: adminLogin.email, password: another }
      expect(await mine.patch('/auth/me', taken)).toEqual(refusal('email-taken'))
      expect((await mine.patch('/auth/me', { email: wanted, password: another })).body).toMatchObject({
        email: wanted,
        emailToConfirm: null,
      })
      // Who is here cannot go through addresses and learn whose there are; an administrator knows them all.
      for (let tries = 2; tries < 5; tries++)
        expect(await mine.patch('/auth/me', taken)).toEqual(refusal('email-taken'))
      for (const one of [taken, { ...taken, email: `free-${newId('user')}@example.com` }])
        expect(await mine.patch('/auth/me', one)).toEqual(refusal('too-many-attempts'))
      expect((await mine.get('/auth/me')).body.email).toBe(wanted)
    } finally {
      await server.stop()
    }
  })
})

test('a mail that the server is too busy for is sent again, under the same id', async () => {
  const { email } = await newPerson()
  post.refusesNext(1)
  await w.nobody.post('/auth/forgot', { email })
  const mail = await post.next(email)
  expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/)
})

test.each(['Zoë\u202egpj.exe', '\u2066Harbour', 'Two\nlines', 'Bell\u0007'])(
  'nobody and nothing is called %j',
  async (name) => {
    const user = { name, email: 'turned@example.com', role: 'viewer', clientIds: [] }
    for (const answer of [
      await w.admin.post('/admin/clients', { name }),
      await w.admin.post('/admin/users', user),
      await w.admin.post('/admin/api-keys', { name, role: 'agent', clientIds: [] }),
    ])
      expect(answer).toEqual(refusal('invalid-request'))
    expect((await w.admin.post('/admin/clients', { name: 'קפה הנמל\u200f 2' })).status).toBe(201)
  },
)

test('whoever has wrong codes sent behind their password is told of it, once', async () => {
  const { email, userId, me } = await newPerson()
  await me.patch('/auth/me', { language: 'en' })
  const { secret } = (await me.post('/auth/totp', { password })).body
  await me.post('/auth/totp/confirm', { code: codeOf(secret, Math.floor(Date.now() / 30_000)) })
  const sendsWrongCodes = async (network: number, codes: number) => {
    const guesser = person(w.url, { 'x-forwarded-for': `203.0.${network}.7` })
    const { step } = (await guesser.post('/auth/login', { email, password })).body
    for (let at = 0; at < codes; at++)
      expect(await guesser.post('/auth/second-factor', { step, code: '000000' })).toEqual(
        refusal('wrong-code'),
      )
  }
  const mails = () => post.received.filter(({ to }) => to === email)
  /** Mails go out in turn: what was queued before this one is there with it. */
  const nextMail = async () => {
    const seen = mails()
    await w.nobody.post('/auth/forgot', { email })
    return post.next(email, seen)
  }
  await sendsWrongCodes(1, 4)
  expect((await nextMail()).subject, 'anybody mistypes').toMatch(/passwor/i)
  const seen = mails()
  await sendsWrongCodes(2, 4)
  expect(await post.next(email, seen)).toMatchObject({
    subject: 'Wrong codes at your login',
    text: expect.stringContaining('your password is known'),
  })
  expect((await nextMail()).subject).toMatch(/passwor/i)
  expect(mails()).toHaveLength(3)
  expect(
    (await trailOf(userId)).filter(({ action }) => action === 'login.failed'),
    'and the trail has them all',
  ).toHaveLength(8)
})
