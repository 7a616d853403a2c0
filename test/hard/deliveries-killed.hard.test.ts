import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import type { Delivery } from '../../contract/deliveries.ts'
import type { Environment } from '../../server/config.ts'
import { json, peer, wordpressPeer } from '../delivery-peers.ts'
import { type Person, person } from '../person.ts'
import { png } from '../pictures.ts'
import { freePort } from '../setup/postgres.ts'
import { adminLogin, newHome, signIn } from '../world.ts'

vi.setConfig({ testTimeout: 240_000 })

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

test('deliveries whose worker is killed, wherever it was, are finished by the next, each with one item; and no log holds a secret', async () => {
  const secrets = [
    'canary-application-password',
    `whsec_${Buffer.from('canary signing secret, 32 bytes.').toString('base64')}`,
  ]
  const first = await serves()
  const { body: client } = await first.admin.post('/admin/clients', { name: 'Harbour Café' })
  const at = `/admin/clients/${client.clientId}`
  const door = { assets: `${at}/assets`, events: `${at}/events` }
  const hook = await peer((_, response) => json(response, {}))
  const { body: webhook } = await first.admin.post('/admin/webhooks', { url: hook.url, clientIds: null })
  secrets.push(webhook.secret)

  // One is stopped before its bytes were kept, one after, one while its words are set, one that cannot be looked for.
  const sites = await Promise.all(Array.from({ length: 3 }, () => wordpressPeer(secrets[0])))
  sites[0]!.suffers('hang before')
  sites[1]!.suffers('hang after')
  sites[2]!.hangsOnWords()
  const receiver = await peer(() => {})
  const connections = [
    ...sites.map(({ url }) => ({
      kind: 'wordpress',
      settings: { siteUrl: url },
      secrets: { username: 'editor', applicationPassword: secrets[0] },
    })),
    { kind: 'webhook', settings: { url: receiver.url }, secrets: { signingSecret: secrets[1] } },
  ]
  const asset = await first.admin.at(door).uploads(png(5, 5), { words: { title: 'Harbour' } })
  const ids: string[] = []
  for (const connection of connections) {
    const { body } = await first.admin.post(`${at}/connections`, { name: 'There', ...connection })
    expect(JSON.stringify(body)).not.toMatch(/canary/i)
    const input = { assetRef: asset.assetRef, connectionId: body.connectionId, surface: 'website' }
    ids.push((await first.admin.post(`${at}/deliveries`, input)).body.deliveryId)
  }
  const grant = { assetRef: asset.assetRef, surface: 'website', target: 'wordpress' }
  const { body: pull } = await first.admin.post(`${at}/pull-grants`, grant)
  secrets.push(pull.url.split('/').at(-1))
  expect((await fetch(pull.url)).status).toBe(200)
  while (
    sites[0]!.uploads() + sites[1]!.uploads() < 2 ||
    !sites[2]!.isHanging() ||
    receiver.requests.length < 1
  )
    await pause(50)
  await first.kill()
  await sitesAreDone()

  const { admin } = await serves()
  const wanted = ['done', 'done', 'done', 'unknown']
  const deliveries: Delivery[] = []
  for (const [place, id] of ids.entries())
    for (;;) {
      deliveries[place] = (await admin.get(`${at}/deliveries/${id}`)).body
      if (deliveries[place]!.status === wanted[place]) break
      await pause(200)
    }
  expect(sites.map(({ items }) => items.length)).toEqual([1, 1, 1])
  expect(sites.map((site) => site.uploads())).toEqual([2, 1, 1])
  expect(sites.map(({ items }) => items[0]!.title.raw)).toEqual(['Harbour', 'Harbour', 'Harbour'])
  expect(receiver.requests).toHaveLength(1)

  // The webhook went on where it stopped: every event came, those of one client in their order.
  const last = async () =>
    hook.requests
      .map(({ body }) => JSON.parse(body.toString()))
      .filter(({ type }) => type === 'delivery.done').length
  while ((await last()) < 3) await pause(100)
  const order = hook.requests
    .map(({ body }) => JSON.parse(body.toString()).data)
    .filter(({ clientId }) => clientId === client.clientId)
    .map(({ eventId }) => eventId as number)
  const firsts = order.filter((id, place) => order.indexOf(id) === place)
  expect(firsts).toEqual(firsts.map((_, place) => place + firsts[0]!))

  expect(logs).toContain('"route":"/pull/:token"')
  for (const secret of secrets) {
    expect(logs).not.toContain(secret)
    expect(logs).not.toContain(Buffer.from(`editor:${secret}`).toString('base64'))
  }
})
