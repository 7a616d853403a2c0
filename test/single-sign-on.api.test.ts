import { expect, test } from 'vitest'
import { codeOf } from '../server/access/second-factor/totp.ts'
import { newId } from '../server/ids.ts'
import { connects, registeredApp } from './agent-app.ts'
import { type Claims, identityProvider } from './identity-provider.ts'
import { lyingProvider } from './lying-provider.ts'
import { mailServer } from './mailbox.ts'
import { type Person, person } from './person.ts'
import { refusal } from './refusal.ts'
import { visit } from './vendor-visit.ts'
import { hasOwnPassword, ownWorld } from './world.ts'

const provider = await identityProvider()
const liar = await lyingProvider()
const post = await mailServer()
const clientId = newId('client')
const roles = [
  { value: 'owners', role: 'admin' },
  { value: 'staff', role: 'operator', clientIds: null },
  { value: 'looking', role: 'viewer' },
  { value: 'harbour', role: 'client', clientIds: [clientId] },
  { value: 'lost', role: 'client', clientIds: [newId('client')] },
]
const w = await ownWorld({
  ...post.environment,
  OUTBOUND_ALLOW: '127.0.0.1',
  SECOND_FACTOR_ROLES: 'viewer',
  OIDC_PROVIDERS: JSON.stringify([
    provider.entry('agency', { roles, createsAccounts: true }),
    provider.entry('trusted', { roles, roleClaim: 'realm.roles', trustsEmail: true, secondFactor: 'theirs' }),
    provider.entry('closed', { roles, secondFactor: 'ours' }),
    provider.entry('away', { roles, issuer: 'http://127.0.0.1:9' }),
    provider.entry('liar', { roles, issuer: liar.url, createsAccounts: true }),
    ...['script', 'number', 'nowhere'].map((id) =>
      provider.entry(id, { roles, issuer: `${liar.url}/${id}` }),
    ),
  ]),
})
provider.serves(w.url, ['agency', 'trusted', 'closed'])
const { db } = w.parts
await db.insertInto('clients').values({ id: clientId, name: 'Harbour Café', quota_bytes: 1e9 }).execute()
await db.insertInto('client_counters').values({ client_id: clientId }).execute()

function known(groups: string[], more: Claims = {}): { sub: string; email: string } {
  const sub = newId('user').toLowerCase()
  const email = `${sub}@agency.example`
  provider.people.set(sub, {
    email,
    email_verified: true,
    name: 'Nora Lind',
    groups,
    realm: { roles: groups },
    ...more,
  })
  return { sub, email }
}
const changes = (sub: string, claims: Claims) =>
  provider.people.set(sub, { ...provider.people.get(sub), ...claims })

async function goes(path: string, cookie = '') {
  const answer = await fetch(w.url + path, { redirect: 'manual', headers: { cookie } })
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]!)
  return { status: answer.status, to: answer.headers.get('location') ?? '', cookies }
}

/** Sent on to the provider, in a browser that remembers it. */
async function begins(id: string, to = '') {
  const { status, to: url, cookies } = await goes(`/auth/oidc/${id}${to && `?to=${encodeURIComponent(to)}`}`)
  expect(status).toBe(302)
  return { url, cookie: cookies.find((one) => one.startsWith('sign-on='))! }
}

const comesBack = (id: string, returned: Record<string, string>, cookie: string) =>
  goes(`/auth/oidc/${id}/callback?${new URLSearchParams(returned)}`, cookie)

async function signsOn(id: string, sub: string, to = '') {
  const { url, cookie } = await begins(id, to)
  const came = await comesBack(id, await visit(url, true, sub), cookie)
  const session = came.cookies.find((one) => /^session=./.test(one))
  return { to: came.to, me: person(w.url, session ? { cookie: session } : {}), isIn: session !== undefined }
}

const refused = (code: string, id = 'agency') => ({
  to: `/app/login?${new URLSearchParams({ refused: code, provider: id })}`,
  isIn: false,
})

test('whom the provider vouches for has an account from the first sign-in on, with the role that it gives each time', async () => {
  const { sub, email } = known(['parking', 'staff'])
  const { url } = await begins('agency')
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    redirect_uri: `${w.url}/auth/oidc/agency/callback`,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^.{43}$/),
    nonce: expect.stringMatching(/^.{43}$/),
  })
  expect((await w.nobody.get('/auth/options')).body.providers).toContainEqual({
    id: 'agency',
    name: 'Agency Login',
  })

  const first = await signsOn('agency', sub, `/clients/${clientId}/assets?q=a`)
  expect(first.to).toBe(`/app/login?${new URLSearchParams({ to: `/clients/${clientId}/assets?q=a` })}`)
  const me = (await first.me.get('/auth/me')).body
  expect(me).toMatchObject({ email, name: 'Nora Lind', role: 'operator', pending: null })
  expect((await first.me.get(`/admin/clients/${clientId}`)).status).toBe(200)
  expect((await first.me.get('/auth/sessions')).body.sessions).toMatchObject([{ method: 'oidc:agency' }])

  // They are known by who they are there, whatever address they have since.
  changes(sub, { email: 'somebody.else@agency.example', email_verified: false, groups: ['harbour'] })
  const second = await signsOn('agency', sub)
  expect((await second.me.get('/auth/me')).body).toMatchObject({ id: me.id, role: 'client', clientId })
  expect((await first.me.get('/auth/me')).body.role, 'in every session').toBe('client')
  expect(await first.me.delete('/auth/sessions')).toMatchObject({ body: { ended: 1 } })
  expect((await first.me.post('/auth/logout')).status).toBe(204)
  expect((await first.me.get('/auth/me')).status).toBe(401)

  // There is no password, and none can be asked for.
  const seen = [...post.received]
  await w.nobody.post('/auth/forgot', { email })
  await w.nobody.post('/auth/forgot', { email: 'admin@example.com' })
  await post.next('admin@example.com', seen)
  expect(post.received.filter((mail) => mail.to === email)).toEqual([])

  for (const groups of [['parking'], [], 'staffing', { staff: true }, ['lost'], undefined]) {
    changes(sub, { groups })
    expect(await signsOn('agency', sub)).toMatchObject(refused('no-role'))
  }
  changes(sub, { groups: 'staff' })
  await db.updateTable('users').set({ is_active: false }).where('id', '=', me.id).execute()
  expect(await signsOn('agency', sub)).toMatchObject(refused('no-account'))
  const trail = await db
    .selectFrom('audit_trail')
    .select(['action', 'details'])
    .where((eb) => eb.or([eb('thing', '=', me.id), eb('action', '=', 'login.failed')]))
    .orderBy('id')
    .execute()
  expect(trail.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.created', 'user.identity-linked', 'login.succeeded', 'user.updated']),
  )
  expect(trail.at(-1)).toMatchObject({ details: { provider: 'agency', code: 'no-account' } })
})

test('what comes back counts once, in the browser that began, with the nonce and the signature of the provider', async () => {
  const { sub } = known(['staff'])
  const over = refused('sign-in-over').to
  const { url, cookie } = await begins('agency')
  const returned = await visit(url, true, sub)
  expect((await comesBack('agency', returned, 'sign-on=another')).to).toBe(over)
  expect((await comesBack('agency', returned, cookie)).to, 'and it is spent').toBe(over)
  expect((await comesBack('agency', {}, cookie)).to).toBe(over)
  const again = await begins('agency')
  const code = await visit(again.url, true, sub)
  expect((await comesBack('agency', code, again.cookie)).to).toBe('/app/login')
  expect((await comesBack('agency', code, again.cookie)).to, 'used twice').toBe(over)
  const elsewhere = await begins('agency')
  const mixedUp = await visit(elsewhere.url, true, sub)
  expect((await comesBack('closed', mixedUp, elsewhere.cookie)).to).toBe(refused('sign-in-over', 'closed').to)

  const failed = refused('sign-in-failed').to
  const other = await begins('agency')
  const withNonce = new URL(other.url)
  withNonce.searchParams.set('nonce', 'of-somebody-else')
  expect((await comesBack('agency', await visit(withNonce.href, true, sub), other.cookie)).to).toBe(failed)
  for (const tampers of [
    (answer: Record<string, string>) => {
      const [head, , signature] = answer.id_token!.split('.')
      const claims = JSON.parse(Buffer.from(answer.id_token!.split('.')[1]!, 'base64url').toString())
      const altered = Buffer.from(JSON.stringify({ ...claims, groups: ['owners'] })).toString('base64url')
      answer.id_token = `${head}.${altered}.${signature}`
    },
    (answer: Record<string, string>) => delete answer.id_token,
  ]) {
    provider.tampers(tampers)
    expect(await signsOn('agency', sub)).toMatchObject(refused('sign-in-failed'))
  }
  const declined = await begins('agency')
  expect((await comesBack('agency', await visit(declined.url, false, sub), declined.cookie)).to).toBe(
    refused('sign-in-declined').to,
  )
  expect((await goes('/auth/oidc/away')).to).toBe(refused('sign-in-failed', 'away').to)
  expect(await w.nobody.get('/auth/oidc/unknown')).toEqual(refusal('not-found'))
  const late = await begins('agency')
  const slow = await visit(late.url, true, sub)
  await db
    .updateTable('login_steps')
    .set({ expires_at: new Date(0) })
    .execute()
  expect((await comesBack('agency', slow, late.cookie)).to).toBe(over)
  for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', 'x'])
    expect((await signsOn('agency', sub, to)).to, to).toBe('/app/login')
})

test('what a provider says of itself or of somebody and cannot be used ends the sign-in, and on a page', async () => {
  for (const [id, authorization_endpoint] of [
    ['script', 'javascript:alert(1)'],
    ['number', 42],
    ['nowhere', undefined],
  ] as const) {
    liar.metadata.set(`/${id}`, { authorization_endpoint })
    expect((await goes(`/auth/oidc/${id}`)).to, id).toBe(refused('sign-in-failed', id).to)
  }

  const signs = async (claims: Claims) => {
    const { url, cookie } = await begins('liar')
    const { nonce, state } = Object.fromEntries(new URL(url).searchParams)
    const email = `${newId('user').toLowerCase()}@liar.example`
    liar.says({ nonce, email, email_verified: true, name: 'Nora Lind', groups: ['staff'], ...claims })
    return comesBack('liar', { code: 'any', state: state! }, cookie)
  }
  const accounts = async () =>
    (await db.selectFrom('login_identities').select('subject').where('issuer', '=', liar.url).execute()).map(
      ({ subject }) => subject,
    )
  const failed = refused('sign-in-failed', 'liar').to
  for (const sub of ['', ' ', '\u00a0', 'a\u0000b', 'a\nb', 'a\ud800b', 'a'.repeat(256), 7, undefined])
    expect((await signs({ sub })).to, JSON.stringify(sub)).toBe(failed)
  for (const azp of ['another', '', 7, null])
    expect((await signs({ sub: 'x', azp })).to, `given to ${azp}`).toBe(failed)
  for (const email of ['a\u0000@liar.example', `${'a'.repeat(250)}@liar.example`, 7])
    expect((await signs({ sub: 'y', email })).to).toBe(refused('email-not-verified', 'liar').to)
  expect(await accounts()).toEqual([])

  const [long, dull] = ['ö'.repeat(255), 'Of no name|1']
  const { to, cookies } = await signs({ sub: long, azp: 'library' })
  expect(to).toBe('/app/login')
  expect(cookies.some((one) => /^session=./.test(one))).toBe(true)
  const email = `${'n'.repeat(200)}@liar.example`
  expect((await signs({ sub: dull, email, name: 'a\u0000b' })).to).toBe('/app/login')
  expect(await accounts()).toEqual(expect.arrayContaining([long, dull]))
  const { name } = await db
    .selectFrom('users')
    .select('name')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(name).toBe('n'.repeat(120))
})

test('an e-mail counts if it is verified, and is taken for the person only where the provider is trusted with that', async () => {
  const unverified = known(['staff'], { email_verified: false })
  expect(await signsOn('agency', unverified.sub)).toMatchObject(refused('email-not-verified'))
  const taken = known(['owners'], { email: 'admin@example.com' })
  const unknown = known(['owners'])
  const asStranger = refused('no-account', 'closed')
  expect(await signsOn('closed', taken.sub)).toMatchObject(asStranger)
  expect(await signsOn('closed', unknown.sub), 'the same for any address').toMatchObject(asStranger)
  expect(await signsOn('agency', taken.sub)).toMatchObject(refused('no-account'))

  const { sub, email } = known(['looking'])
  const password = 'a long enough password'
  const { body } = await w.admin.post('/admin/users', { email, name: 'Nora', role: 'viewer', password })
  const linked = await signsOn('trusted', sub)
  expect((await linked.me.get('/auth/me')).body).toMatchObject({
    id: body.userId,
    role: 'viewer',
    pending: null,
  })
  expect(await w.nobody.post('/auth/login', { email, password }), 'the first password is gone').toEqual(
    refusal('wrong-login'),
  )
  // From now on it is them at every door of this provider; a role that needs a second factor is asked for it.
  const weak = await signsOn('closed', sub)
  expect((await weak.me.get('/auth/me')).body).toMatchObject({ id: body.userId, pending: 'second-factor' })
  const { secret } = (await weak.me.post('/auth/totp', {})).body
  const now = () => codeOf(secret, Math.floor(Date.now() / 30_000))
  expect((await weak.me.post('/auth/totp/confirm', { code: now() })).status).toBe(200)
  await db.updateTable('users').set({ totp_last_step: null }).where('id', '=', body.userId).execute()

  const half = await signsOn('closed', sub, '/clients')
  expect(half.isIn).toBe(false)
  const [page, carried] = half.to.split('#step=')
  expect(page).toBe('/app/login?to=%2Fclients')
  const { step, hasTotp } = JSON.parse(Buffer.from(carried!, 'base64url').toString())
  expect(hasTotp).toBe(true)
  const whole = await w.nobody.post('/auth/second-factor', { step, code: now() })
  const cookie = whole.headers.get('set-cookie')!.split(';')[0]!
  expect((await person(w.url, { cookie }).get('/auth/sessions')).body.sessions[0].method).toBe(
    'oidc:closed+code',
  )
  changes(sub, { amr: ['pwd', 'mfa'] })
  expect((await signsOn('agency', sub)).isIn, 'the provider has asked already').toBe(true)
  changes(sub, { amr: ['pwd'] })
  expect((await signsOn('agency', sub)).isIn).toBe(false)
  expect((await signsOn('trusted', sub)).isIn, 'what it does is enough').toBe(true)
})

test('an agent of somebody who has no second factor but the provider’s works while a login that showed it lasts', async () => {
  const { sub, email } = known(['looking'])
  const password = 'a long enough password'
  const clientIds = [clientId]
  await w.admin.post('/admin/users', { email, name: 'Nora', role: 'viewer', clientIds, password })
  const strong = await signsOn('trusted', sub)
  const app = await registeredApp(w.url)
  const { access_token } = await connects(app, strong.me, { clientIds })
  const isIn = async () => {
    const { status } = await person(w.url, {
      authorization: `Bearer ${access_token}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    }).post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return status === 200
  }
  expect(await isIn()).toBe(true)
  await strong.me.post('/auth/logout')
  expect(await isIn()).toBe(false)
  const weak = await signsOn('closed', sub)
  expect((await weak.me.get('/auth/me')).body.pending).toBe('second-factor')
  expect(await isIn(), 'the provider did not say that it asked for one').toBe(false)
  await signsOn('trusted', sub)
  expect(await isIn()).toBe(true)
})

test('people link their account to a provider and unlink it, with their password, in one browser, and never lose the last way in', async () => {
  const password = 'a long enough password'
  const newPerson = async () => {
    const email = `${newId('user')}@example.com`
    await w.admin.post('/admin/users', { email, name: 'Nora', role: 'operator', password })
    await hasOwnPassword(w, email)
    return w.login(email, password)
  }
  const me = await newPerson()
  const { cookie: session } = me.credentials
  const { sub } = known(['staff'])
  const starts = async (as = me, id = 'closed') => {
    const answer = await as.post(`/auth/identities/${id}`, { password })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return { url: answer.body.url, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! }
  }
  const links = async (who: string, as = me, agrees = true) => {
    const { url, cookie } = await starts(as)
    const came = await comesBack(
      'closed',
      await visit(url, agrees, who),
      `${as.credentials.cookie}; ${cookie}`,
    )
    return came.to
  }
  const account = (code: string) =>
    `/app/account?${new URLSearchParams({ refused: code, provider: 'closed' })}`
  const linkedAt = async (as = me) =>
    (await as.get('/auth/identities')).body.identities.find(
      ({ provider }: { provider: string }) => provider === 'closed',
    ).linkedAt

  expect((await me.get('/auth/identities')).body.identities).toContainEqual({
    ...{ provider: 'closed', name: 'Agency Login', linkedAt: null, lastUsedAt: null },
  })
  expect(await me.post('/auth/identities/unknown', { password })).toEqual(refusal('not-found'))
  for (const body of [{}, { password: 'not this one' }])
    expect(await me.post('/auth/identities/closed', body)).toEqual(refusal('wrong-password'))
  expect(await signsOn('closed', sub)).toMatchObject(refused('no-account', 'closed'))

  // It counts for who began it, where they are still logged in.
  const other = await newPerson()
  for (const elsewhere of ['', other.credentials.cookie!]) {
    const { url, cookie } = await starts()
    const came = await comesBack('closed', await visit(url, true, sub), `${elsewhere}; ${cookie}`)
    expect(came.to).toBe(account('sign-in-over'))
    expect(came.cookies.filter((one) => /^session=./.test(one))).toEqual([])
  }
  expect(await links(sub, me, false)).toBe(account('sign-in-declined'))
  expect(await links(known(['parking']).sub)).toBe(account('no-role'))
  expect(await linkedAt()).toBeNull()

  expect(await links(sub)).toBe('/app/account?linked=closed')
  expect(await links(sub), 'again').toBe('/app/account?linked=closed')
  expect(await linkedAt()).toEqual(expect.any(String))
  expect(await links(known(['staff']).sub)).toBe(account('in-use'))
  expect(await links(sub, other)).toBe(account('identity-taken'))
  const came = await signsOn('closed', sub)
  const own = (await me.get('/auth/me')).body
  expect((await came.me.get('/auth/me')).body).toMatchObject({ id: own.id, role: 'operator' })

  const unlinks = (as: Person, body: object = { password }) => as.delete('/auth/identities/closed', body)
  expect(await unlinks(me, { password: 'not this one' })).toEqual(refusal('wrong-password'))
  expect((await unlinks(me)).status).toBe(204)
  expect(await unlinks(me)).toEqual(refusal('not-found'))
  expect((await came.me.get('/auth/me')).status, 'logged out elsewhere').toBe(401)
  expect((await person(w.url, { cookie: session! }).get('/auth/me')).status).toBe(200)
  expect(await signsOn('closed', sub)).toMatchObject(refused('no-account', 'closed'))
  const trail = await db.selectFrom('audit_trail').select('action').where('thing', '=', own.id).execute()
  expect(trail.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.identity-linked', 'user.identity-unlinked']),
  )

  // Without a password or a passkey the provider is the only way in.
  const made = known(['staff'])
  const { me: theirs } = await signsOn('agency', made.sub)
  expect(await unlinks(theirs, {})).toEqual(refusal('last-way-in'))
  expect(await linkedAt(theirs)).toEqual(expect.any(String))
  expect(await signsOn('agency', made.sub)).toMatchObject({ isIn: true })
})
