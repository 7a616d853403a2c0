import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import type { Environment } from '../server/config.ts'
import { ofThisMachine } from './command.ts'
import { json, peer } from './delivery-peers.ts'
import { person, puts } from './person.ts'
import { pixel } from './pictures.ts'
import { freePort } from './setup/postgres.ts'
import { adminLogin, newHome } from './world.ts'

// A whole process reads its source before it says a word.
vi.setConfig({ testTimeout: 180_000 })

const home = await newHome()
afterAll(home.remove)

test('the log at its most talkative has one line for each request and each job, and no secret', async () => {
  const { STORAGE_ENDPOINT: bucket } = home.environment
  const line = bucket ? await lineTo(Number(new URL(bucket).port)) : undefined
  const server = await serve({
    ...home.environment,
    ...(line && { STORAGE_ENDPOINT: bucket!.replace(/:\d+/, `:${line.port}`) }),
    TRUST_PROXY: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=canary-collector-header',
  })
  const { secrets, asked } = await liveADay(server.url, line?.cut)
  const lines = (await server.stops()).map((text) => JSON.parse(text))

  secrets.push('canary-collector-header')
  if (bucket) secrets.push(home.environment.STORAGE_SECRET_ACCESS_KEY!, 'X-Amz-Signature')
  expect(secrets.length).toBeGreaterThanOrEqual(20)
  for (const secret of secrets) {
    expect(secret.length, 'a canary long enough to be told from other words').toBeGreaterThan(11)
    for (const spelled of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      expect(server.output()).not.toContain(spelled)
  }

  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests).toHaveLength(asked)
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(asked)
  for (const { status, ms, method, route } of requests) {
    expect([status, ms, method]).toEqual([expect.any(Number), expect.any(Number), expect.any(String)])
    expect(route).toMatch(/^(\/|none$)/)
  }
  const finalized = requests.find(({ route, status }) => /finalize$/.test(route) && status === 201)
  expect(finalized).toMatchObject({
    method: 'POST',
    route: '/admin/clients/:clientId/assets/upload-session/finalize',
    principal: { kind: 'key', id: expect.stringMatching(/^key_/) },
    client: expect.stringMatching(/^client_/),
  })
  const told = (fields: object) => expect(requests).toContainEqual(expect.objectContaining(fields))
  told({ route: '/auth/login', status: 401, code: 'wrong-login' })
  told({ requestId: 'balancer-77', route: '/auth/login', status: 200 })
  told({ route: '/pull/:token', status: 200 })
  told({ route: '/pull/:token', status: 404, code: 'not-found' })
  told({ route: 'none', status: 400, code: 'invalid-request' })
  told({ route: 'none', status: 404, code: 'not-found' })
  if (!bucket) told({ route: '/objects/*', method: 'PUT', status: 403 })
  if (bucket) expect(lines).toContainEqual(expect.objectContaining({ msg: 'storage-unavailable', level: 50 }))

  // What is not set up is no fault of the program: a sentence, and no stack.
  const unset = lines.filter(({ msg }) => msg === 'sign-in-not-configured')
  expect(unset).toEqual([expect.objectContaining({ level: 40, detail: expect.stringContaining('LINKEDIN') })])
  expect(unset[0]).not.toHaveProperty('err')

  const jobs = lines.filter(({ msg }) => msg === 'job')
  expect(jobs).toContainEqual(
    expect.objectContaining({
      job: 'media',
      outcome: 'done',
      ms: expect.any(Number),
      client: finalized.client,
      assetId: expect.stringMatching(/^asset_/),
    }),
  )
  expect(jobs).toContainEqual(
    expect.objectContaining({
      job: 'deliver',
      outcome: 'failed',
      err: expect.objectContaining({ message: expect.any(String) }),
    }),
  )
  // What libraries hang on their errors may be anything: nothing of it is written.
  const errors = lines.flatMap(({ err }) => [err, err?.cause, err?.cause?.cause]).filter(Boolean)
  expect(errors.length).toBeGreaterThan(0)
  for (const error of errors)
    expect(['type', 'message', 'code', 'stack', 'cause']).toEqual(expect.arrayContaining(Object.keys(error)))
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(/^Traces are not taken/), level: 40 }),
  )
})

/** Uses everything that has a secret, rightly and wrongly. Says which secrets there were. */
async function liveADay(url: string, storeGoesAway: (() => void) | undefined) {
  const { password } = adminLogin
  const secrets: string[] = [home.environment.SECRET_KEY!, password]
  let asked = 0
  const realFetch = globalThis.fetch
  const counting = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (String(input).startsWith(url)) asked++
    return realFetch(input, init)
  })
  try {
    const target = await peer((_received, response) => json(response, { message: 'no' }, 500))
    const nobody = person(url, {})
    const wrong = 'canary-wrong-password-1'
    secrets.push(wrong)
    await nobody.post('/auth/login', { email: 'admin@example.com', password: wrong })
    await nobody.fetch('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"email":"admin@example.com","password":"${wrong}"`,
    })
    const signedIn = await nobody.post(
      '/auth/login',
      { email: 'admin@example.com', password },
      { 'x-request-id': 'balancer-77' },
    )
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    secrets.push(cookie.split('=')[1]!)
    const admin = person(url, { cookie })

    const { body: client } = await admin.post('/admin/clients', { name: 'Harbour Café' })
    const about = `/admin/clients/${client.clientId}`
    const newPassword = 'canary-new-user-password-2'
    await admin.post('/admin/users', {
      name: 'Ann',
      email: 'ann@example.com',
      role: 'client',
      clientIds: [client.clientId],
      password: newPassword,
    })
    secrets.push(newPassword)
    await nobody.post('/auth/login', { email: 'ann@example.com', password: newPassword })

    const { body: made } = await admin.post('/admin/api-keys', {
      name: 'agent',
      role: 'agent',
      clientIds: [client.clientId],
    })
    secrets.push(made.apiKey)
    const agent = person(
      url,
      { authorization: `Bearer ${made.apiKey}` },
      { assets: `${about}/assets`, events: `${about}/events` },
    )
    const forged = 'cal_canary-forged-key-3'
    secrets.push(forged)
    await person(url, { authorization: `Bearer ${forged}` }).get(`${about}/assets`)
    await agent.get(`${about}/assets?q=${encodeURIComponent('canary words of a search')}`)
    secrets.push('canary words of a search')

    const { body: unset } = await admin.post(`${about}/connections`, {
      kind: 'linkedin',
      name: 'Page',
      settings: { ownerUrn: 'urn:li:organization:5' },
    })
    await admin.post(`${about}/connections/${unset.connectionId}/sign-in`)

    const { body: session } = await agent.opensUpload()
    secrets.push(session.uploadToken, session.uploadUrl, ...signatureOf(session.uploadUrl))
    await fetch(
      session.uploadUrl.replace(/.$/, (last: string) => (last === 'a' ? 'b' : 'a')),
      {
        method: 'PUT',
        body: Buffer.from(pixel),
      },
    )
    expect((await puts(session, pixel)).status).toBe(200)
    await agent.finalizes('canary-token-that-opens-nothing-4')
    secrets.push('canary-token-that-opens-nothing-4')
    const { status, body: asset } = await agent.finalizes(session.uploadToken)
    expect(status).toBe(201)

    const { body: grant } = await agent.post(`${about}/pull-grants`, {
      assetRef: asset.assetRef,
      surface: 'website',
      target: 'wordpress',
      ttlSeconds: 600,
    })
    secrets.push(grant.url, grant.url.split('/pull/')[1])
    expect((await fetch(grant.url)).status).toBe(200)
    await fetch(`${grant.url}x`)

    const { body: webhook } = await admin.post('/admin/webhooks', {
      url: `${target.url}/canary-webhook-path-5`,
      clientIds: null,
    })
    secrets.push(webhook.secret, 'canary-webhook-path-5')
    await admin.post(`/admin/webhooks/${webhook.webhookId}/test`)

    const { body: connection, status: connected } = await admin.post(`${about}/connections`, {
      kind: 'wordpress',
      name: 'Site',
      settings: { siteUrl: `${target.url}` },
      secrets: { username: 'canary-user-name-6', applicationPassword: 'canary-application-password-7' },
    })
    expect(connected).toBe(201)
    secrets.push('canary-application-password-7')
    secrets.push(Buffer.from('canary-user-name-6:canary-application-password-7').toString('base64'))
    const delivered = await agent.post(`${about}/deliveries`, {
      assetRef: asset.assetRef,
      connectionId: connection.connectionId,
      surface: 'website',
    })
    expect(delivered.status).toBe(202)
    await admin.post(`${about}/connections/${connection.connectionId}/test`)
    await waitFor(async () => {
      const { body } = await agent.get(`${about}/deliveries/${delivered.body.deliveryId}`)
      return body.lastError !== null
    })
    await waitFor(async () => (await agent.reads(asset.assetId)).body.media.state === 'ready')
    await waitFor(async () => target.asked('POST', /canary-webhook-path-5/) > 2)

    await fetch(`${url}/admin/clients/%zz?token=canary-in-a-bad-address-8`)
    await fetch(`${url}/nowhere/canary-in-a-path-9`)
    secrets.push('canary-in-a-bad-address-8', 'canary-in-a-path-9')
    if (storeGoesAway) {
      storeGoesAway()
      expect((await agent.get(`${about}/assets/${asset.assetId}/content`)).status).toBe(503)
    }
    await admin.post('/auth/logout')
    return { secrets, asked }
  } finally {
    counting.mockRestore()
  }
}

const signatureOf = (url: string) =>
  [...new URL(url).searchParams.values()].filter((value) => value.length > 20)

async function waitFor(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await done()); tries++) {
    if (tries > 300) throw new Error('It did not happen')
    await pause(200)
  }
}

const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

async function serve(environment: Environment) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['cli/asset-library.js', 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...ofThisMachine(),
      PORT: String(port),
      PUBLIC_URL: url,
      OUTBOUND_ALLOW: '127.0.0.1',
      DEMO: 'false',
      ...environment,
      LOG_LEVEL: 'trace',
    },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  while (!/Client Asset Library is at/.test(output)) {
    if (child.exitCode !== null) throw new Error(output)
    await pause(100)
  }
  return {
    url,
    output: () => output,
    async stops(): Promise<string[]> {
      child.kill('SIGTERM')
      await once(child, 'close')
      return output.split('\n').filter((line) => line.startsWith('{'))
    },
  }
}

/** A way to a port of this machine that can be cut. */
async function lineTo(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1')
    for (const socket of [from, to]) sockets.add(socket.on('error', () => {}))
    from.pipe(to).pipe(from)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
