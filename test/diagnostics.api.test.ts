import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { version } from '../server/version.ts'
import { type Person, person } from './person.ts'
import { refusal } from './refusal.ts'
import { adminLogin, newHome, ownWorld, signIn, startServer } from './world.ts'

const w = await ownWorld({ ROLE: 'api' })

test('a heartbeat holds what it may hold, and no more', async () => {
  const { agent, clientId } = await w.newClient()
  const run = {
    job: 'audit',
    status: 'succeeded',
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:01:00Z',
  }
  const beats = (finishedRun: object, agentId = `seo-${clientId}`) =>
    agent.put(`/admin/seo/agents/${agentId}/runtime`, { clientId, state: 'idle', finishedRun })
  expect((await beats(run)).status).toBe(200)
  expect(await beats({ ...run, notes: 'x'.repeat(10_000) })).toEqual(refusal('invalid-request'))
  expect(await beats({ ...run, job: 'x'.repeat(201) })).toEqual(refusal('invalid-request'))
  expect(await beats(run, 'a'.repeat(201))).toEqual(refusal('invalid-request'))
})

describe('/status', () => {
  test('is looked up once for however many strangers ask', async () => {
    const looks = async () =>
      Number(
        /^storage_call_duration_seconds_count\{op="check",outcome="ok"\} (\d+)/m.exec(
          await w.parts.metrics.registry.metrics(),
        )?.[1] ?? 0,
      )
    const before = await looks()
    const answers = await Promise.all(Array.from({ length: 50 }, () => w.nobody.get('/status')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await looks()) - before).toBeLessThanOrEqual(5)
  })

  test('says to everybody how it is, and the details only to a login', async () => {
    const { viewer } = await w.newClient()
    // The first look at the decoders starts some, and may take longer than an answer waits for it.
    await w.parts.media.capabilities()
    const answer = () => w.nobody.get('/status')
    // A part that is busy elsewhere for a moment is told as it is, too.
    await expect.poll(async () => (await answer()).status).toBe(200)
    await expect
      .poll(async () => (await answer()).body)
      .toEqual({
        status: expect.stringMatching(/^(ok|degraded)$/),
        version,
        uptimeSeconds: expect.any(Number),
        checks: {
          database: { status: 'ok' },
          storage: { status: 'ok' },
          media: { status: expect.any(String) },
          malware: { status: 'ok' },
          jobs: { status: 'ok' },
          secrets: { status: 'ok' },
        },
      })
    const decoders =
      /^ok sharp [\d.]+, libvips [\d.]+, libwebp [\d.]+, libheif [\d.]+|^(?!ok).*(tile|network)/
    const told = async () => (await viewer.get('/status')).body
    expect(await told()).toMatchObject({ version })
    await expect
      .poll(async () => Object.values((await told()).checks.media as object).join(' '))
      .toMatch(decoders)
    expect((await person(w.url, { authorization: 'Bearer no' }).get('/status')).status).toBe(200)
    const { portal } = await w.newClient()
    expect((await portal.get('/status')).body).toEqual((await w.nobody.get('/status')).body)
  })

  test('is degraded without storage, and tells a login what is missing', async () => {
    const home = await newHome()
    const server = await startServer({
      ...home.environment,
      ROLE: 'api',
      STORAGE_ACCOUNT_ID: 'account',
      STORAGE_ACCESS_KEY_ID: '',
      STORAGE_SECRET_ACCESS_KEY: '',
      STORAGE_BUCKET_NAME: '',
      METRICS_TOKEN: 'a token for metrics',
    })
    try {
      const nobody = person(server.url, {})
      const { status, body } = await nobody.get('/status')
      expect([status, body.status, body.checks.storage]).toEqual([200, 'degraded', { status: 'degraded' }])
      const admin = person(server.url, {
        cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
      })
      expect((await admin.get('/status')).body.checks.storage.detail).toMatch(
        /Set STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY, STORAGE_BUCKET_NAME and restart/,
      )
      // It goes on working for everything else.
      expect((await nobody.get('/livez')).status).toBe(200)
      expect((await nobody.get('/readyz')).status).toBe(200)

      expect(await nobody.get('/metrics')).toEqual(refusal('forbidden'))
      expect(await nobody.get('/metrics', { authorization: 'Bearer wrong' })).toEqual(refusal('forbidden'))
      const metrics = await nobody.get('/metrics', { authorization: 'Bearer a token for metrics' })
      expect(metrics.status).toBe(200)
    } finally {
      await server.stop()
      await home.remove()
    }
  })
})

test('/livez and /readyz answer anybody', async () => {
  for (const path of ['/livez', '/readyz'])
    expect(await w.nobody.get(path)).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('/metrics are for this machine, in Prometheus’ words', async () => {
  await w.nobody.get('/status')
  const { status, headers, body } = await w.nobody.get('/metrics')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=/)
  for (const name of [
    'http_request_duration_seconds_bucket',
    'database_connections',
    'jobs{',
    'nodejs_eventloop',
  ])
    expect(body).toContain(name)
  expect(body).toMatch(/route="\/status"/)
  const statusWith = async (headers: Record<string, string>) => {
    const [answer] = await once(request(`${w.url}/metrics`, { headers }).end(), 'response')
    answer.resume()
    return answer.statusCode
  }
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000'])
    expect(await statusWith({ host }), host).toBe(200)
  // A page whose name was pointed at this machine, and whatever a proxy on it may add.
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '[::2]', '@'])
    expect(await statusWith({ host }), host).toBe(403)
  for (const name of [
    ...['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded', 'X-Real-IP'],
    ...[
      'CF-Connecting-IP',
      'CF-Ray',
      'True-Client-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'Fastly-Client-IP',
    ],
    ...[
      'X-Original-For',
      'X-Original-Forwarded-For',
      'X-Envoy-External-Address',
      'X-Amzn-Trace-Id',
      'Client-IP',
    ],
    ...[
      'X-Azure-ClientIP',
      'Fly-Client-IP',
      'X-ProxyUser-Ip',
      'WL-Proxy-Client-IP',
      'CloudFront-Viewer-Address',
    ],
  ])
    expect(await statusWith({ [name]: '203.0.113.9' }), name).toBe(403)
})

describe('the client record', () => {
  test('is made, listed, read and changed', async () => {
    const made = await w.admin.post('/admin/clients', { name: ' Zebra & Sons ', quotaBytes: 5000 })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      clientId: expect.stringMatching(/^client_/),
      name: 'Zebra & Sons',
      quotaBytes: 5000,
      storedBytes: 0,
      reservedBytes: 0,
      approvedOnlySurfaces: [],
      ocrLanguages: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const path = `/admin/clients/${made.body.clientId}`
    expect((await w.admin.get(path)).body).toEqual({ ...made.body, integrations: [], readsWords: false })
    expect((await w.admin.patch(path, { quotaBytes: 6000 })).body).toMatchObject({
      name: 'Zebra & Sons',
      quotaBytes: 6000,
    })
    const { body: found } = await w.admin.get('/admin/clients?q=zebra%20%26')
    expect(found.clients).toMatchObject([{ clientId: made.body.clientId }])
    expect((await w.admin.get('/admin/clients?q=%25')).body.clients).toEqual([])
  })

  test('is listed page by page', async () => {
    const prefix = newId('client')
    for (let i = 0; i < 5; i++) await w.admin.post('/admin/clients', { name: `${prefix} ${i % 2}` })
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await w.admin.get(`/admin/clients?q=${prefix}&limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.clients.map((client: { clientId: string }) => client.clientId))
      cursor = body.nextCursor ?? ''
    } while (cursor)
    expect(new Set(seen).size).toBe(5)
    expect(seen).toHaveLength(5)
    expect(await w.admin.get('/admin/clients?cursor=x')).toEqual(refusal('invalid-request'))
  })

  test('shows the integrations with their state', async () => {
    const { viewer, clientId } = await w.newClient()
    const { body: connection } = await w.admin.post('/admin/google-ads/connections', {
      clientId,
      status: 'error',
      lastSyncAt: '2026-01-02T03:04:05Z',
      lastError: 'Token revoked',
    })
    const { body } = await viewer.get(`/admin/clients/${clientId}`)
    expect(body.integrations).toContainEqual({
      connectionId: connection.connectionId,
      kind: 'google-ads',
      status: 'error',
      lastCheckedAt: '2026-01-02T03:04:05.000Z',
      lastError: 'Token revoked',
    })
  })
})

describe('the runtime of an agent', () => {
  test('is what the agent last wrote, until it falls silent', async () => {
    const { agent, viewer, clientId } = await w.newClient()
    const agentId = `seo-${clientId}`
    const path = `/admin/seo/agents/${agentId}/runtime`
    expect(await viewer.get(path)).toEqual(refusal('not-found'))

    const run = (job: string) => ({
      job,
      status: 'succeeded',
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:01:00Z',
    })
    const written = await agent.put(path, { clientId, state: 'running', currentJob: 'audit' })
    expect(written).toMatchObject({
      status: 200,
      body: { state: 'running', currentJob: 'audit', recentRuns: [] },
    })
    const finishedRun = { ...run('o\u202ene'), error: 'Two\nlines\u001b\u202e' }
    const turned = await agent.put(path, {
      clientId,
      state: 'running',
      currentJob: 'aud\u202eit\u0007',
      finishedRun,
    })
    expect(turned.body).toMatchObject({
      currentJob: 'audit ',
      recentRuns: [{ ...finishedRun, job: 'one', error: 'Two\nlines' }],
    })
    for (let i = 0; i < 22; i++)
      await agent.put(path, { clientId, state: 'idle', finishedRun: run(`job ${i}`) })
    const { body } = await viewer.get(path)
    expect(body).toMatchObject({
      agentId,
      state: 'idle',
      currentJob: null,
      lastHeartbeatAt: expect.any(String),
    })
    expect(body.recentRuns).toHaveLength(20)
    expect(body.recentRuns[0]).toEqual(run('job 21'))

    await w.parts.db
      .updateTable('agent_runtimes')
      .set({ heartbeat_at: new Date(Date.now() - 6 * 60_000) })
      .where('agent_id', '=', agentId)
      .execute()
    expect((await viewer.get(path)).body.state).toBe('stale')
    await agent.put(path, { clientId, state: 'stopped' })
    await w.parts.db
      .updateTable('agent_runtimes')
      .set({ heartbeat_at: new Date(0) })
      .where('agent_id', '=', agentId)
      .execute()
    expect((await viewer.get(path)).body.state).toBe('stopped')
  })

  test('is kept for so many agents of a client, also when they come at once', async () => {
    const { agent, clientId } = await w.newClient()
    const heartbeats = Array.from({ length: 198 }, (_, n) => ({
      client_id: clientId,
      agent_id: `agent-${n}`,
      key_id: agent.id,
      state: 'idle' as const,
      recent_runs: '[]',
      heartbeat_at: new Date(Date.now() - (n === 0 ? 31 : 1) * 86_400_000),
    }))
    await w.parts.db.insertInto('agent_runtimes').values(heartbeats).execute()
    const beats = (agentId: string) =>
      agent.put(`/admin/seo/agents/${agentId}/runtime`, { clientId, state: 'idle' })
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(beats))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect(await beats('e')).toEqual(refusal('too-many-agents'))
    expect((await beats('agent-7')).status).toBe(200)
    // One that has been silent for a month makes room.
    await jobHandlers(w.parts).purge({}, { last: true })
    expect((await beats('e')).status).toBe(200)
  })

  test('is written by agents only, under an id that is one', async () => {
    const { agent, operator, clientId } = await w.newClient()
    const state = { clientId, state: 'idle' }
    for (const other of [operator, w.admin])
      expect(await other.put('/admin/seo/agents/x/runtime', state)).toEqual(refusal('forbidden'))
    for (const id of ['a%2Fb', 'a%20b', 'x'.repeat(101), encodeURIComponent('🦩')])
      expect(await agent.put(`/admin/seo/agents/${id}/runtime`, state)).toEqual(refusal('not-found'))
  })

  test('is told apart by its client where another has one of the same name', async () => {
    const [mine, theirs] = [await w.newClient(), await w.newClient()]
    const path = `/admin/seo/agents/twin-${mine.clientId}/runtime`
    for (const { agent, clientId } of [mine, theirs])
      await agent.put(path, { clientId, state: 'idle', currentJob: clientId })
    for (const { clientId } of [mine, theirs])
      expect((await w.admin.get(`${path}?clientId=${clientId}`)).body).toMatchObject({
        clientId,
        currentJob: clientId,
      })
    expect((await w.admin.get(path)).body.clientId).toBe(theirs.clientId)
    expect((await mine.viewer.get(path)).body.clientId).toBe(mine.clientId)
    expect(await mine.viewer.get(`${path}?clientId=${theirs.clientId}`)).toEqual(refusal('not-found'))
  })

  test('counts every run, also when two are told at once', async () => {
    const { agent, viewer, clientId } = await w.newClient()
    const path = `/admin/seo/agents/both-${clientId}/runtime`
    await agent.put(path, { clientId, state: 'idle' })
    const run = {
      job: 'x',
      status: 'failed',
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:01:00Z',
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => agent.put(path, { clientId, state: 'idle', finishedRun: run })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await viewer.get(path)).body.recentRuns).toHaveLength(10)
  })
})

describe('an advertising connection', () => {
  test('is made and changed by an admin, and read by who may', async () => {
    const { viewer, operator, clientId } = await w.newClient()
    const made = await w.admin.post('/admin/meta-ads/connections', {
      clientId,
      status: 'connected',
      account: 'act_1',
      scopes: ['ads_read'],
      expiresAt: '2030-01-01T00:00:00+02:00',
    })
    expect(made.status).toBe(201)
    const path = `/admin/meta-ads/connections/${made.body.connectionId}`
    expect((await viewer.get(path)).body).toEqual({
      connectionId: expect.stringMatching(/^connection_/),
      clientId,
      provider: 'meta',
      status: 'connected',
      account: 'act_1',
      scopes: ['ads_read'],
      expiresAt: '2029-12-31T22:00:00.000Z',
      lastSyncAt: null,
      lastError: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await operator.patch(path, { status: 'expired' })).toEqual(refusal('forbidden'))
    expect((await w.admin.patch(path, { status: 'expired', lastError: 'Expired' })).body).toMatchObject({
      status: 'expired',
      lastError: 'Expired',
      account: 'act_1',
    })
    expect(await w.admin.patch(path, { expiresAt: 'tomorrow' })).toEqual(refusal('invalid-request'))
  })

  test('belongs to its provider, and to one that is known', async () => {
    const { clientId } = await w.newClient()
    const { body } = await w.admin.post('/admin/google-ads/connections', { clientId, status: 'connected' })
    for (const provider of ['meta', 'unknown', 'google%2F', ''])
      expect((await w.admin.get(`/admin/${provider}-ads/connections/${body.connectionId}`)).status).toBe(404)
    expect(await w.admin.post('/admin/unknown-ads/connections', { clientId, status: 'connected' })).toEqual(
      refusal('not-found'),
    )
  })
})

describe('a landing page', () => {
  const visits = (slug: string, query = '', headers: Record<string, string> = {}) =>
    w.nobody.get(`/lp-api/${slug}${query}`, headers)

  async function spring(): Promise<string> {
    const { clientId } = await w.newClient()
    const slug = `spring-${clientId.slice(-8)}`
    const page = { clientId, url: 'https://example.com/spring', title: 'Spring' }
    const put = await w.admin.put(`/admin/landing-pages/${slug}`, page)
    expect(put).toMatchObject({ status: 200, body: { slug, ...page } })
    return slug
  }

  test('tells what was read from this very request, and who is credited', async () => {
    const slug = await spring()
    const { status, body } = await visits(
      slug,
      '?utm_source=news&utm_medium=email&utm_campaign=may&utm_term=t&utm_content=c',
      { referer: 'https://mail.example/' },
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      slug,
      title: 'Spring',
      url: 'https://example.com/spring',
      attribution: {
        utmSource: 'news',
        utmMedium: 'email',
        utmCampaign: 'may',
        utmTerm: 't',
        utmContent: 'c',
        gclid: null,
        fbclid: null,
        referrer: 'https://mail.example/',
      },
      creditedTo: { channel: 'email', source: 'news', campaign: 'may', because: 'utm_medium is email' },
    })
  })

  test.each([
    ['google-ads', '?gclid=x&utm_medium=email', {}, 'google'],
    ['meta-ads', '?fbclid=x', {}, 'facebook'],
    ['paid', '?utm_medium=CPC&utm_source=bing', {}, 'bing'],
    ['social', '?utm_medium=social', {}, null],
    ['campaign', '?utm_source=flyer', {}, 'flyer'],
    ['organic-search', '', { referer: 'https://www.google.com/search' }, 'www.google.com'],
    ['organic-social', '', { referer: 'https://l.facebook.com/x' }, 'l.facebook.com'],
    ['referral', '', { referer: 'https://blog.example/post' }, 'blog.example'],
    ['direct', '', {}, null],
    ['direct', '?utm_source=', { referer: 'not an address' }, null],
  ])('is credited to %s for %j', async (channel, query, headers, source) => {
    const { body } = await visits(await spring(), query, headers as Record<string, string>)
    expect(body.creditedTo).toMatchObject({ channel, source })
  })

  test('bears odd parameters', async () => {
    const slug = await spring()
    const { status, body } = await visits(
      slug,
      `?utm_source=a&utm_source=b&gclid=${'x'.repeat(3000)}&__proto__=1`,
    )
    expect([status, body.attribution.utmSource, body.attribution.gclid.length]).toEqual([200, 'a', 500])
  })

  test('is listed for an admin, and is not there under another slug', async () => {
    const slug = await spring()
    const { body } = await w.admin.get('/admin/landing-pages')
    expect(body.landingPages).toContainEqual(expect.objectContaining({ slug }))
    for (const other of ['nowhere', `${slug}x`, '..%2F', 'A'.repeat(200)])
      expect(await visits(other)).toEqual(refusal('not-found'))
    const { clientId } = await w.newClient()
    const page = { clientId, url: 'https://example.com/', title: 'x' }
    for (const odd of ['Capital', 'with%20space', '-dash', 'x'.repeat(101)])
      expect(await w.admin.put(`/admin/landing-pages/${odd}`, page)).toEqual(refusal('invalid-request'))
    expect(await w.admin.put('/admin/landing-pages/ok', { ...page, url: 'javascript:alert(1)' })).toEqual(
      refusal('invalid-request'),
    )
  })
})

test('nobody but who may reads diagnostics', async () => {
  const { agent, portal, clientId } = await w.newClient()
  const readers: [Person, number][] = [
    [w.nobody, 401],
    [agent, 403],
    [portal, 403],
  ]
  for (const [reader, status] of readers)
    for (const path of [`/admin/clients/${clientId}`, '/admin/seo/agents/x/runtime', '/admin/landing-pages'])
      expect((await reader.get(path)).status).toBe(status)
})
