import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { agentPermissions } from '../contract/agent-sign-in.ts'
import { codeOf } from '../server/access/second-factor/totp.ts'
import { newId } from '../server/ids.ts'
import { connects, registeredApp } from './agent-app.ts'
import { authenticator } from './authenticator.ts'
import { type Answer, type Person, person } from './person.ts'
import { refusal } from './refusal.ts'
import { hasOwnPassword, startServer, world } from './world.ts'

const w = await world({ ROLE: 'api', TRUST_PROXY: '1' })
const { db } = w.parts
const password = 'a long enough password'
const proof = { password }

async function newPerson(role = 'viewer') {
  const email = `${newId('user')}@example.com`
  const { body } = await w.admin.post('/admin/users', { email, name: 'Nora Lind', role, password })
  await hasOwnPassword(w, email)
  return { email, userId: body.userId as string, me: await w.login(email, password) }
}

const cookieOf = ({ headers }: Answer) => ({ cookie: headers.get('set-cookie')!.split(';')[0]! })
const logsIn = (email: string) => w.nobody.post('/auth/login', { email, password })
const secondStep = (body: object) => w.nobody.post('/auth/second-factor', body)
/** The code that an app shows now; whether it was used before is forgotten, for tests do not wait half a minute. */
async function codeNow(userId: string, secret: string) {
  await db.updateTable('users').set({ totp_last_step: null }).where('id', '=', userId).execute()
  return codeOf(secret, Math.floor(Date.now() / 30_000))
}
const actionsOn = async (userId: string) =>
  (
    await db.selectFrom('audit_trail').select('action').where('thing', '=', userId).orderBy('id').execute()
  ).map(({ action }) => action)

async function hasApp({ me, userId }: { me: Person; userId: string }) {
  const { secret } = (await me.post('/auth/totp', proof)).body
  const confirmed = await me.post('/auth/totp/confirm', { code: await codeNow(userId, secret) })
  expect(confirmed.status).toBe(200)
  return { secret: secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

describe('an app that makes codes', () => {
  test('is set up with the password and a first code; then a login has two steps', async () => {
    const somebody = await newPerson()
    const { email, userId, me } = somebody
    const elsewhere = await w.login(email, password)
    expect(await me.post('/auth/totp', { password: 'not this one' })).toEqual(refusal('wrong-password'))
    expect(await me.post('/auth/totp/confirm', { code: '123456' })).toEqual(refusal('wrong-code'))
    const { secret, uri } = (await me.post('/auth/totp', proof)).body
    expect(uri).toContain(`secret=${secret}`)
    expect(await me.post('/auth/totp/confirm', { code: '000000' })).toEqual(refusal('wrong-code'))
    // Until it is proven, nothing is asked for.
    expect((await logsIn(email)).status).toBe(200)
    const { recoveryCodes } = (await me.post('/auth/totp/confirm', { code: await codeNow(userId, secret) }))
      .body
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await elsewhere.get('/auth/me')).status).toBe(401)
    expect((await me.get('/auth/second-factor')).body).toMatchObject({
      totpSince: expect.any(String),
      recoveryCodesLeft: 10,
      isRequired: false,
    })
    expect(await me.post('/auth/totp', proof)).toEqual(refusal('in-use'))

    const half = await logsIn(email)
    expect(half.status).toBe(202)
    expect(half.headers.get('set-cookie')).toBeNull()
    expect(half.body).toEqual({
      step: expect.any(String),
      expiresAt: expect.any(String),
      hasTotp: true,
      passkey: null,
    })
    // Half way in opens nothing.
    const { step } = half.body
    for (const [name, value] of [
      ['cookie', `session=${step}`],
      ['authorization', `Bearer ${step}`],
    ] as const)
      expect(await person(w.url, { [name]: value }).get('/auth/me')).toEqual(refusal('unauthenticated'))
    expect(await secondStep({ step, code: '000000' })).toEqual(refusal('wrong-code'))
    expect(await secondStep({ step })).toEqual(refusal('invalid-request'))
    const code = await codeNow(userId, secret)
    const whole = await secondStep({ step, code: ` ${code.slice(0, 3)} ${code.slice(3)}` })
    expect(whole).toMatchObject({ status: 200, body: { email, pending: null } })
    expect((await person(w.url, cookieOf(whole)).get('/auth/me')).status).toBe(200)

    // Neither the step nor the code is good for a second time.
    expect(await secondStep({ step, code })).toEqual(refusal('sign-in-over'))
    const again = (await logsIn(email)).body.step
    expect(await secondStep({ step: again, code })).toEqual(refusal('wrong-code'))
    const actions = await actionsOn(userId)
    for (const action of ['user.second-factor-added', 'login.failed', 'login.succeeded'])
      expect(actions).toContain(action)
  })

  test('is kept sealed, and its recovery codes as hashes that work once', async () => {
    const somebody = await newPerson()
    const { email, userId, me } = somebody
    const { secret, recoveryCodes } = await hasApp(somebody)
    const { rows } = await sql<{ line: string }>`
      select u::text as line from users u where id = ${userId}
      union all select r::text from recovery_codes r where user_id = ${userId}`.execute(db)
    const stored = rows.map(({ line }) => line).join()
    for (const secretly of [secret, ...recoveryCodes, recoveryCodes[0]!.replaceAll('-', '')])
      expect(stored).not.toContain(secretly)

    const [first, second] = recoveryCodes as [string, string]
    const use = async (code: string) => secondStep({ step: (await logsIn(email)).body.step, code })
    expect((await use(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect(await use(first)).toEqual(refusal('wrong-code'))
    expect((await me.get('/auth/second-factor')).body.recoveryCodesLeft).toBe(9)
    expect(await me.post('/auth/recovery-codes', {})).toEqual(refusal('wrong-password'))
    const { recoveryCodes: fresh } = (await me.post('/auth/recovery-codes', proof)).body
    expect(await use(second)).toEqual(refusal('wrong-code'))
    expect((await use(fresh[0])).status).toBe(200)

    expect(await me.delete('/auth/totp', {})).toEqual(refusal('wrong-password'))
    expect((await me.delete('/auth/totp', proof)).status).toBe(204)
    expect((await logsIn(email)).status).toBe(200)
    expect(await me.post('/auth/recovery-codes', proof)).toEqual(refusal('not-found'))
    expect(await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', userId).execute()).toEqual(
      [],
    )
  })

  test('cannot be guessed at: a step is over after five, and a person’s codes after ten in a while', async () => {
    const somebody = await newPerson()
    await hasApp(somebody)
    const { step } = (await logsIn(somebody.email)).body
    const guesses = await Promise.all(Array.from({ length: 8 }, () => secondStep({ step, code: '000000' })))
    expect(guesses.map(({ status }) => status).sort()).toEqual([410, 410, 410, 422, 422, 422, 422, 422])
    const other = (await logsIn(somebody.email)).body.step
    for (let i = 0; i < 5; i++)
      expect(await secondStep({ step: other, code: 'aaaa' })).toEqual(refusal('wrong-code'))
    const third = (await logsIn(somebody.email)).body.step
    expect(await secondStep({ step: third, code: '000000' })).toEqual(refusal('too-many-attempts'))
    // A stranger who knows no password closes nothing: there is no step to guess at.
    expect(await secondStep({ step: newId('key'), code: '000000' })).toEqual(refusal('sign-in-over'))

    const late = (await logsIn((await withApp()).email)).body.step
    await sql`update login_steps set expires_at = now()`.execute(db)
    expect(await secondStep({ step: late, code: '000000' })).toEqual(refusal('sign-in-over'))
  })

  test('cannot be guessed at from many networks: thirty wrong codes a day, and then another way in', async () => {
    const somebody = await newPerson()
    const { secret, recoveryCodes } = await hasApp(somebody)
    const from = async (network: number) => {
      const guesser = person(w.url, { 'x-forwarded-for': `203.0.${network}.7` })
      const { email } = somebody
      const { step } = (await guesser.post('/auth/login', { email, password })).body
      return (code: string) => guesser.post('/auth/second-factor', { step, code })
    }
    for (let network = 0; network < 6; network++) {
      const tries = await from(network)
      const guesses = await Promise.all(Array.from({ length: 5 }, () => tries('000000')))
      expect(guesses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    }
    const elsewhere = await from(77)
    const code = await codeNow(somebody.userId, secret)
    expect(await elsewhere(code), 'even one that fits').toEqual(refusal('too-many-attempts'))
    expect((await elsewhere(recoveryCodes[0]!)).status).toBe(200)
  })

  test('lets its owner in who comes by a browser they know, whatever strangers with the password do; and those are few a day in all', async () => {
    const somebody = await newPerson()
    const { email, userId } = somebody
    const { secret } = await hasApp(somebody)
    const address = '203.0.113.9'
    const comes = (from: string, cookie = '') => {
      const headers = { 'x-forwarded-for': from, cookie }
      const browser = person(w.url, headers)
      return async (...codes: string[]) => {
        const { step } = (await browser.post('/auth/login', { email, password })).body
        return Promise.all(codes.map((code) => browser.post('/auth/second-factor', { step, code })))
      }
    }
    const wrong = Array.from({ length: 5 }, () => '000000')
    const rightly = async (tries: ReturnType<typeof comes>) =>
      (await tries(await codeNow(userId, secret)))[0]!
    const known: string[] = []
    for (let i = 0; i < 4; i++) {
      const { headers } = await rightly(comes(`203.0.113.${20 + i}`))
      known.push(headers.getSetCookie().find((one) => one.startsWith('device='))!)
    }
    const [owner, ...others] = known

    const stranger = comes(address)
    for (let i = 0; i < 2; i++) await stranger(...wrong)
    expect(await rightly(stranger)).toEqual(refusal('too-many-attempts'))
    expect((await rightly(comes(address, owner))).status, 'behind the same address').toBe(200)
    for (let i = 0; i < 4; i++) await comes(`203.0.${i}.9`)(...wrong)
    expect(await rightly(comes('203.0.99.9'))).toEqual(refusal('too-many-attempts'))
    expect((await rightly(comes(address, owner))).status, 'after thirty wrong ones').toBe(200)

    // A browser that is known is no way around that.
    for (const one of others) {
      const thief = comes(address, one)
      for (let i = 0; i < 2; i++) await thief(...wrong)
      expect(await rightly(thief)).toEqual(refusal('too-many-attempts'))
    }
    expect(await rightly(comes(address, owner))).toEqual(refusal('too-many-attempts'))
  })

  const withApp = async () => {
    const somebody = await newPerson()
    await hasApp(somebody)
    return somebody
  }
})

test('an administrator resets a second factor: its owner is logged out, and it is kept who did it', async () => {
  const somebody = await newPerson()
  const { email, userId, me } = somebody
  await hasApp(somebody)
  const { step } = (await logsIn(email)).body
  expect(await me.delete(`/admin/users/${userId}/second-factor`)).toEqual(refusal('forbidden'))
  expect((await w.admin.delete(`/admin/users/${userId}/second-factor`)).status).toBe(204)
  expect((await me.get('/auth/me')).status).toBe(401)
  expect(await secondStep({ step, code: '000000' })).toEqual(refusal('sign-in-over'))
  expect((await logsIn(email)).status).toBe(200)
  expect(await actionsOn(userId)).toContain('user.second-factor-reset')
})

test('a role that has to have a second factor can do nothing before it has one', async () => {
  const server = await startServer({ ...w.environment, PORT: undefined, SECOND_FACTOR_ROLES: 'viewer' })
  try {
    const [viewer, operator] = [await newPerson(), await newPerson('operator')]
    const there = ({ me }: { me: Person }) => person(server.url, me.credentials)
    expect((await there(operator).get('/admin/clients')).status).toBe(200)
    const me = there(viewer)
    expect((await me.get('/auth/me')).body).toMatchObject({ pending: 'second-factor', permissions: [] })
    for (const path of ['/admin/clients', '/auth/sessions'])
      expect(await me.get(path)).toEqual(refusal('second-factor-needed'))
    expect((await me.get('/auth/second-factor')).body.isRequired).toBe(true)
    await hasApp({ ...viewer, me })
    expect((await me.get('/admin/clients')).status).toBe(200)
    await me.delete('/auth/totp', proof)
    expect(await me.get('/admin/clients')).toEqual(refusal('second-factor-needed'))
    // A password comes before it.
    await w.admin.patch(`/admin/users/${viewer.userId}`, { password })
    const first = person(server.url, (await w.login(viewer.email, password)).credentials)
    expect(await first.get('/auth/second-factor')).toEqual(refusal('password-change-needed'))
  } finally {
    await server.stop()
  }
})

test('an agent waits with a person who has to have a second factor, and so does what it left behind', async () => {
  const server = await startServer({ ...w.environment, PORT: undefined, SECOND_FACTOR_ROLES: 'operator' })
  try {
    const acme = await w.newClient()
    const { assetRef } = await acme.operator.uploads()
    const somebody = await newPerson('operator')
    await w.admin.patch(`/admin/users/${somebody.userId}`, { clientIds: [acme.clientId] })
    const app = await registeredApp(w.url)
    const said = { clientIds: [acme.clientId], permissions: [...agentPermissions] }
    const tokens = await connects(app, somebody.me, said)
    const calls = async (url: string, name: string, args: object = {}) => {
      const agent = person(url, {
        authorization: `Bearer ${tokens.access_token}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      })
      return agent.post('/mcp', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args },
      })
    }
    const wanted = { action: 'create', assetRef, surface: 'website', target: 'wordpress' }
    const grant = await calls(w.url, 'pull_grant', wanted)
    const [address] = /\/pull\/[\w-]{43}/.exec(JSON.stringify(grant.body))!
    const refreshes = () =>
      person(server.url, {}).post('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: app.id,
        refresh_token: tokens.refresh_token,
      })
    const comesBy = async () => [
      (await calls(server.url, 'search_assets')).status,
      (await fetch(server.url + address)).status,
    ]

    const me = person(server.url, somebody.me.credentials)
    expect(await me.get('/admin/clients')).toEqual(refusal('second-factor-needed'))
    expect(await comesBy()).toEqual([401, 404])
    expect(await refreshes()).toEqual(refusal('temporarily-unavailable'))
    await hasApp({ ...somebody, me })
    expect(await comesBy()).toEqual([200, 200])
    await me.delete('/auth/totp', proof)
    expect(await comesBy()).toEqual([401, 404])
    await w.admin.patch(`/admin/users/${somebody.userId}`, { role: 'viewer', clientIds: [acme.clientId] })
    expect((await calls(server.url, 'search_assets')).status, 'nobody asks that of a viewer').toBe(200)
  } finally {
    await server.stop()
  }
})

describe('a passkey', () => {
  async function withPasskey() {
    const somebody = await newPerson()
    const key = authenticator(w.url)
    const begun = (await somebody.me.post('/auth/passkeys/options', proof)).body
    const added = await somebody.me.post('/auth/passkeys', {
      step: begun.step,
      name: 'Phone',
      ...key.registers(begun.options),
    })
    expect([added.status, added.body.code]).toEqual([201, undefined])
    return { ...somebody, key, added: added.body }
  }
  const begins = async () => (await w.nobody.post('/auth/passkeys/sign-in-options')).body
  const signsIn = (step: string, passkey: object) =>
    w.nobody.post('/auth/passkeys/sign-in', { step, passkey })

  test('lets its owner in alone, and is asked for after a password', async () => {
    const { email, userId, me, key, added } = await withPasskey()
    expect(added).toMatchObject({
      passkeyId: expect.stringMatching(/^passkey_/),
      name: 'Phone',
      lastUsedAt: null,
    })
    expect(added.recoveryCodes).toHaveLength(10)
    const { step, options } = await begins()
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const alone = await signsIn(step, key.answers(options, userId))
    expect(alone).toMatchObject({ status: 200, body: { id: userId, email } })
    expect((await person(w.url, cookieOf(alone)).get('/auth/me')).status).toBe(200)

    const half = (await logsIn(email)).body
    expect(half).toMatchObject({ hasTotp: false, passkey: { allowCredentials: [{ id: key.id }] } })
    expect(await secondStep({ step: half.step, code: '123456' })).toEqual(refusal('wrong-code'))
    // As a second factor it need not be unlocked.
    const answer = key.answers(half.passkey, userId, { unlocked: false })
    expect((await secondStep({ step: half.step, passkey: answer })).status).toBe(200)
    const { passkeys } = (await me.get('/auth/second-factor')).body
    expect(passkeys).toMatchObject([{ name: 'Phone', lastUsedAt: expect.any(String) }])

    // A second one comes without new recovery codes; without any, a password is enough again.
    const begun = (await me.post('/auth/passkeys/options', proof)).body
    expect(begun.options.excludeCredentials).toMatchObject([{ id: key.id }])
    const other = authenticator(w.url)
    const second = await me.post('/auth/passkeys', {
      step: begun.step,
      name: 'Key',
      ...other.registers(begun.options),
    })
    expect(second.body.recoveryCodes).toEqual([])
    const stranger = await newPerson()
    const path = `/auth/passkeys/${added.passkeyId}`
    expect(await stranger.me.delete(path, proof)).toEqual(refusal('not-found'))
    expect(await me.delete(path, {})).toEqual(refusal('wrong-password'))
    for (const { passkeyId } of [added, second.body])
      expect((await me.delete(`/auth/passkeys/${passkeyId}`, proof)).status).toBe(204)
    expect((await logsIn(email)).status).toBe(200)
    expect(await actionsOn(userId)).toContain('user.second-factor-removed')
  })

  test('that lies, or answers twice, lets nobody in', async () => {
    const { email, userId, key } = await withPasskey()
    const other = await withPasskey()
    const tries = async (wishes: object, who = userId, by = key) => {
      const { step, options } = await begins()
      return signsIn(step, by.answers(options, who, wishes))
    }
    for (const [what, wishes] of Object.entries({
      'another site': { origin: 'https://evil.example' },
      'another challenge': { challenge: 'AAAA' },
      'not unlocked': { unlocked: false },
      'a counter that stands still': { counter: 0 },
    })) {
      if (what.startsWith('a counter')) expect((await tries({ counter: 40 })).status).toBe(200)
      expect(await tries(wishes), what).toEqual(refusal('wrong-code'))
    }
    expect(await tries({ counter: 50 }, other.userId), 'in somebody else’s name').toEqual(
      refusal('wrong-code'),
    )
    expect(await tries({}, userId, authenticator(w.url)), 'unknown').toEqual(refusal('wrong-code'))

    const { step, options } = await begins()
    const answer = key.answers(options, userId, { counter: 60 })
    expect((await signsIn(step, answer)).status).toBe(200)
    expect(await signsIn(step, answer)).toEqual(refusal('sign-in-over'))
    expect(await signsIn((await begins()).step, answer)).toEqual(refusal('wrong-code'))

    // The passkey of another is no second factor of mine.
    const half = (await logsIn(email)).body
    const theirs = other.key.answers(half.passkey, other.userId)
    expect(await secondStep({ step: half.step, passkey: theirs })).toEqual(refusal('wrong-code'))
    await w.admin.patch(`/admin/users/${userId}`, { isActive: false })
    expect(await tries({ counter: 70 })).toEqual(refusal('wrong-code'))
  })

  test('is added by who began it, once, and only with an answer to what was asked', async () => {
    const [{ me }, stranger] = [await newPerson(), await newPerson()]
    expect(await me.post('/auth/passkeys/options', {})).toEqual(refusal('wrong-password'))
    const key = authenticator(w.url)
    const adds = async (wishes: object, by = me) => {
      const { step, options } = (await me.post('/auth/passkeys/options', proof)).body
      return by.post('/auth/passkeys', { step, name: 'Phone', ...key.registers(options, wishes) })
    }
    expect(await adds({}, stranger.me)).toEqual(refusal('sign-in-over'))
    expect(await adds({ origin: 'https://evil.example' })).toEqual(refusal('wrong-code'))
    expect(await adds({ challenge: 'AAAA' })).toEqual(refusal('wrong-code'))
    expect((await adds({})).status).toBe(201)
    expect(await adds({}), 'the same again').toEqual(refusal('wrong-code'))
  })
})
