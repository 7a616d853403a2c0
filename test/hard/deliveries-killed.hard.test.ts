import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { type ConnectionKind, connectionKindNames } from '../../contract/connection-kinds.ts'
import { type Delivery, openStatuses } from '../../contract/deliveries.ts'
import type { Environment } from '../../server/config.ts'
import { queues } from '../../server/jobs/queues.ts'
import { fixturePath } from '../../server/media/fixtures/fixture.ts'
import { json, peer } from '../delivery-peers.ts'
import { type Person, person } from '../person.ts'
import { freePort } from '../setup/postgres.ts'
import { type Silence, targetPeers } from '../target-peers.ts'
import { adminLogin, newHome, signIn } from '../world.ts'

vi.setConfig({ testTimeout: 1_200_000 })

const cli = fileURLToPath(new URL('../../cli/asset-library.js', import.meta.url))
const home = await newHome()
const children = new Set<ChildProcess>()
let logs = ''

afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await home.remove()
})

/** A server of its own process, as it runs in production, with everything it says. */
async function serves(): Promise<{ admin: Person; kill(): Promise<void> }> {
  const port = await freePort()
  const environment: Environment = {
    ...home.environment,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'trace',
  }
  const child = spawn(process.execPath, [cli, 'serve'], { env: { PATH: process.env.PATH, ...environment } })
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
      logs += chunk
    })
  const until = Date.now() + 120_000
  while (!said.includes('Client Asset Library is at')) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`It did not start: ${said}`)
    await pause(100)
  }
  const url = `http://127.0.0.1:${port}`
  const admin = person(url, { cookie: await signIn(url, adminLogin.email, adminLogin.password) })
  return {
    admin,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** As if so much time had passed that no site can be at work any more on what it was sent. */
async function sitesAreDone(): Promise<void> {
  const database = new pg.Client({ connectionString: home.environment.DATABASE_URL })
  await database.connect()
  await database.query('update deliveries set look_after = now() where look_after is not null')
  await database.end()
}

/** So many of one client are under way at once in one process. */
const atOnce = queues.deliver.perClient

const photo = await sharp({
  create: {
    width: 600,
    height: 600,
    channels: 3,
    noise: { type: 'gaussian', mean: 120, sigma: 40 },
    background: '#777',
  },
})
  .jpeg()
  .toBuffer()

test('deliveries whose worker is killed at any request to any target are finished by the next, each with one item at most; and no log holds a secret', async () => {
  const secrets: string[] = []
  let server = await serves()
  const { body: client } = await server.admin.post('/admin/clients', { name: 'Harbour Café' })
  const at = `/admin/clients/${client.clientId}`
  const door = { assets: `${at}/assets`, events: `${at}/events` }
  const hook = await peer((_, response) => json(response, {}))
  const { body: webhook } = await server.admin.post('/admin/webhooks', { url: hook.url, clientIds: null })
  secrets.push(webhook.secret)
  const asset = await server.admin.at(door).uploads(photo, {
    session: { originalFilename: 'harbour.jpg', mimeType: 'image/jpeg' },
    words: { title: 'Harbour', altText: 'Boats' },
  })

  async function begins(kind: ConnectionKind, silence?: Silence) {
    const target = await targetPeers[kind](silence)
    secrets.push(...Object.values(target.connection.secrets).filter((secret) => secret !== 'editor'))
    const { body } = await server.admin.post(`${at}/connections`, { name: 'There', ...target.connection })
    expect(JSON.stringify(body)).not.toMatch(/canary/i)
    const { surface, text } = target
    const input = { assetRef: asset.assetRef, connectionId: body.connectionId, surface, text }
    const { deliveryId } = (await server.admin.post(`${at}/deliveries`, input)).body
    return { kind, silence, ...target, deliveryId: deliveryId as string }
  }
  const ends = async ({ deliveryId }: { deliveryId: string }): Promise<Delivery> => {
    for (;;) {
      const { body } = await server.admin.get(`${at}/deliveries/${deliveryId}`)
      if (!openStatuses.includes(body.status)) return body
      await pause(200)
    }
  }

  const { url } = (
    await server.admin.post(`${at}/pull-grants`, {
      assetRef: asset.assetRef,
      surface: 'website',
      target: 'wordpress',
    })
  ).body
  secrets.push(url.split('/').at(-1))
  expect((await fetch(url)).status).toBe(200)

  // Undisturbed, each says how many requests it takes.
  const moments: { kind: ConnectionKind; silence: Silence }[] = []
  for (const kind of connectionKindNames) {
    const plain = await begins(kind)
    expect([kind, (await ends(plain)).status, plain.items()]).toEqual([kind, 'done', 1])
    for (let n = 1; n <= plain.peer.requests.length; n++)
      for (const when of ['before', 'after'] as const) moments.push({ kind, silence: { at: n, when } })
  }

  const begun: Awaited<ReturnType<typeof begins>>[] = []
  while (moments.length > 0) {
    const round: typeof begun = []
    for (const { kind, silence } of moments.splice(0, atOnce)) round.push(await begins(kind, silence))
    while (round.some(({ peer: { requests }, silence }) => requests.length < silence!.at)) await pause(50)
    begun.push(...round)
    await server.kill()
    await sitesAreDone()
    server = await serves()
    // What was stopped is taken up before the next ones hold the workers.
    for (const one of round) await ends(one)
  }

  const rows = []
  for (const one of begun) {
    const { status } = await ends(one)
    const items = one.items()
    rows.push({ target: one.kind, request: one.silence!.at, killed: one.silence!.when, status, items })
    expect.soft(['done', 'unknown']).toContain(status)
    expect.soft(items).toBeLessThanOrEqual(1)
    if (status === 'done') expect.soft(items).toBe(1)
  }
  console.table(rows)
  // Where it can be seen what is there, nobody has to look.
  const lookable = rows.filter(({ target }) => !['webhook', 'gbp', 'gbp-posts'].includes(target))
  expect(lookable.filter(({ status }) => status !== 'done')).toEqual([])

  // The webhook went on where it stopped: every event came, those of one client in their order.
  const told = () => hook.requests.map(({ body }) => JSON.parse(body.toString()))
  const done = rows.filter(({ status }) => status === 'done').length + connectionKindNames.length
  while (
    new Set(
      told()
        .filter(({ type }) => type === 'delivery.done')
        .map(({ data }) => data.eventId),
    ).size < done
  )
    await pause(100)
  const order = told()
    .map(({ data }) => data)
    .filter(({ clientId }) => clientId === client.clientId)
    .map(({ eventId }) => eventId as number)
  const firsts = order.filter((id, place) => order.indexOf(id) === place)
  expect(firsts).toEqual(firsts.map((_, place) => place + firsts[0]!))

  expect(logs).toContain('"route":"/pull/:token"')
  for (const secret of new Set(secrets)) {
    expect(logs).not.toContain(secret)
    expect(logs).not.toContain(Buffer.from(`editor:${secret}`).toString('base64'))
  }
})

test('a film whose server is killed again and again while it is converted is delivered once', async ({
  skip,
}) => {
  let server = await serves()
  const { body: status } = await server.admin.get('/status')
  skip(
    /no playable copy|drawn tile/.test(status.checks.media.detail),
    'nothing on this machine encodes films',
  )
  const { body: client } = await server.admin.post('/admin/clients', { name: 'Films' })
  const at = `/admin/clients/${client.clientId}`
  const door = { assets: `${at}/assets`, events: `${at}/events` }
  const { assetRef } = await server.admin.at(door).uploads(await readFile(fixturePath('long-upright.mp4')), {
    session: { originalFilename: 'long.mp4', mimeType: 'video/mp4' },
  })
  const target = await targetPeers['facebook-page']()
  const { body: connection } = await server.admin.post(`${at}/connections`, {
    name: 'There',
    ...target.connection,
  })
  const { body: delivery } = await server.admin.post(`${at}/deliveries`, {
    ...{ assetRef, connectionId: connection.connectionId, surface: target.surface, text: 'A part' },
    range: { startSeconds: 0, endSeconds: 80 },
  })
  const now = async (): Promise<Delivery> =>
    (await server.admin.get(`${at}/deliveries/${delivery.deliveryId}`)).body
  for (let killed = 0; killed < 3; killed++) {
    await expect
      .poll(async () => (await now()).progress.convertedPercent ?? 0, { timeout: 300_000 })
      .toBeGreaterThan(killed)
    await server.kill()
    server = await serves()
  }
  await expect.poll(async () => (await now()).status, { timeout: 600_000 }).toBe('done')
  expect(target.items()).toBe(1)
})
