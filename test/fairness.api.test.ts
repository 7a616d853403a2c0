import { setTimeout as pause } from 'node:timers/promises'
import type { RouteHandlerMethod } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../server/app.ts'
import { type Environment, readConfig } from '../server/config.ts'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { queues } from '../server/jobs/queues.ts'
import { openParts } from '../server/parts.ts'
import { nextEvents } from './event-reader.ts'
import { pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, newClient, newHome, ownWorld, startServer } from './world.ts'

const w = await ownWorld({ ROLE: 'api' })
const log = pino({ level: 'silent' })

/** Films that take until they are told to be done. */
const films = {
  begun: [] as { clientId: string; ends(): void }[],
  begin(clientId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.begun.push({ clientId, ends: resolve })
    return promise
  },
  async ask(count: number) {
    const clientId = newId('client')
    const film = { clientId, version: 1, name: 'rendition', recipe: {} }
    await w.parts.db.transaction().execute(async (trx) => {
      for (let i = 0; i < count; i++)
        await w.parts.jobs.send(trx, 'film', { ...film, assetId: newId('asset') })
    })
    return clientId
  },
}

/** Deliveries that take until their target answers. */
const deliveries = {
  begun: [] as string[],
  targets: new Map<string, PromiseWithResolvers<void>>(),
  begin(clientId: string): Promise<void> {
    this.begun.push(clientId)
    return this.targets.get(clientId)?.promise ?? Promise.resolve()
  },
  /** Of a client whose target does not answer yet. */
  async ask(count: number) {
    const [clientId, target] = [newId('client'), Promise.withResolvers<void>()]
    this.targets.set(clientId, target)
    await w.parts.db.transaction().execute(async (trx) => {
      for (let i = 0; i < count; i++)
        await w.parts.jobs.send(trx, 'deliver', { clientId, deliveryId: newId('delivery') })
    })
    return { clientId, target }
  },
}

test('the one file of a client does not wait for the sixty of another', async () => {
  const { parts } = w
  const [noisy, quiet] = [(await w.newClient()).clientId, (await w.newClient()).clientId]
  const queue = (clientId: string, files: number) =>
    parts.db.transaction().execute(async (trx) => {
      for (let i = 0; i < files; i++)
        await parts.jobs.send(trx, 'media', { clientId, assetId: newId('asset'), version: 1 })
    })
  await queue(noisy, 60)
  await queue(quiet, 1)

  const order: string[] = []
  await parts.jobs.work({
    ...jobHandlers(parts),
    media: async ({ clientId }) => {
      order.push(clientId)
    },
    deliver: ({ clientId }) => deliveries.begin(clientId),
    film: ({ clientId }) => films.begin(clientId),
  })
  // A worker that looked for its next job once a second would need half a minute.
  for (let waited = 0; order.length < 61 && waited < 20_000; waited += 100) await pause(100)
  expect(order).toHaveLength(61)
  // Behind those whose turn was while the others were still being queued, and no more.
  expect(order.indexOf(quiet)).toBeLessThan(20)
  expect(order.slice(-30)).not.toContain(quiet)
})

test('three slow targets hold up nobody else', async () => {
  const slow = await Promise.all([1, 2, 3].map(() => deliveries.ask(9)))
  const { begun } = deliveries
  const times = (clientId: string) => begun.filter((each) => each === clientId).length
  await expect
    .poll(() => slow.map(({ clientId }) => times(clientId)))
    .toEqual(slow.map(() => queues.deliver.perClient))
  const quick = await deliveries.ask(1)
  await expect.poll(() => times(quick.clientId)).toBe(1)
  for (const { target } of [quick, ...slow]) target.resolve()
  await expect.poll(() => slow.every(({ clientId }) => times(clientId) === 9)).toBe(true)
})

test('a slow target holds up nobody else, and what is tried again lets others go first', async () => {
  const { begun } = deliveries
  const times = (clientId: string) => begun.filter((each) => each === clientId).length
  const slow = await deliveries.ask(9)
  await expect.poll(() => times(slow.clientId)).toBe(queues.deliver.perClient)
  const quick = await deliveries.ask(1)
  await expect.poll(() => times(quick.clientId)).toBe(1)
  quick.target.resolve()
  expect(times(slow.clientId)).toBe(queues.deliver.perClient)

  const retriesStart = (when: RawBuilder<Date>) =>
    sql`update jobs.job set start_after = ${when} where name = 'deliver' and state = 'retry'
      and data ->> 'clientId' = ${slow.clientId} returning id`.execute(w.parts.db)
  slow.target.reject(new Error('It does not answer.'))
  await expect.poll(async () => (await retriesStart(sql`now() + interval '1 day'`)).rows.length).toBe(9)
  const others = await Promise.all(Array.from({ length: queues.deliver.workers }, () => deliveries.ask(1)))
  await expect.poll(() => others.every(({ clientId }) => times(clientId) === 1)).toBe(true)

  const before = begun.length
  deliveries.targets.delete(slow.clientId)
  await retriesStart(sql`now()`)
  const late = await deliveries.ask(1)
  others[0]!.target.resolve()
  await expect.poll(() => begun.slice(before)).toEqual([late.clientId])
  for (const { target } of [late, ...others]) target.resolve()
  await expect.poll(() => begun.slice(before).filter((each) => each === slow.clientId)).toHaveLength(9)
})

test('clients whose films take long take turns, however many each has asked for', async () => {
  const { begun } = films
  const clients = () => begun.map(({ clientId }) => clientId)
  const first = await films.ask(5)
  await expect.poll(clients).toEqual([first])
  const second = await films.ask(5)
  // One client holds one place, though nobody else needs the other.
  await expect.poll(clients).toEqual([first, second])
  const third = await films.ask(2)
  begun[0]!.ends()
  await expect.poll(() => clients().slice(2)).toEqual([third])
  begun[1]!.ends()
  await expect.poll(() => clients().slice(3)).toEqual([first])
  begun[2]!.ends()
  await expect.poll(() => clients().slice(4)).toEqual([second])
  for (let ended = 3; ended < 12; ended++) {
    await expect.poll(() => begun.length).toBeGreaterThan(ended)
    begun[ended]!.ends()
  }
})

const oneAfterAnother = 'the embedded database does one thing after another, whoever asks'

test('whoever asks two hundred things at once lets another be answered meanwhile', async ({ skip }) => {
  skip(w.parts.database.embedded, oneAfterAnother)
  const [noisy, quiet] = [await w.newClient(), (await w.newClient()).operator]
  const goOn = await stopChangesOf(noisy, w.environment)
  const noise = Array.from({ length: 200 }, (_, number) => makesFolder(noisy, number))
  for (let i = 0; i < 20; i++) {
    expect((await quiet.lists()).status).toBe(200)
    expect((await quiet.makesFolder(`Folder ${i}`)).name).toBe(`Folder ${i}`)
  }
  await goOn()
  for (const answer of await Promise.all(noise)) expect(answer.status).toBe(201)
  expect((await noisy.operator.lists({ limit: 200 })).body.folders).toHaveLength(200)
})

describe('where one request of a client is handled at once, and two may wait', async () => {
  const home = await newHome()
  const narrow = await startServer({
    ...home.environment,
    ROLE: 'api',
    REQUESTS_AT_ONCE: '1',
    REQUESTS_WAITING: '2',
  })
  afterAll(async () => {
    await narrow.stop()
    await home.remove()
  })
  test('its others are told to come back, and those of another client are not', async ({ skip }) => {
    skip(w.parts.database.embedded, oneAfterAnother)
    const [noisy, quiet] = [await newClient(narrow), await newClient(narrow)]
    const goOn = await stopChangesOf(noisy, home.environment)
    const crowd = Array.from({ length: 20 }, (_, number) => makesFolder(noisy, number))
    await Promise.race(crowd)
    expect((await quiet.operator.lists()).status).toBe(200)
    await goOn()
    const answers = await Promise.all(crowd)
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(3)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      expect(answer).toEqual(refusal('rate-limited'))
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect((await noisy.operator.lists()).status).toBe(200)
  })

  test('streams and files on their way hold no place, and neither does who was refused or hung up', async () => {
    const client = await newClient(narrow)
    const { operator } = client
    const streams = [await nextEvents(operator), await nextEvents(operator)]
    const { folderId } = await operator.makesFolder('Large')
    await operator.uploads(pngOfSize(16_000_000), { session: { folderId } })
    const leave = new AbortController()
    const path = `${operator.door.assets}/folders/download?folderId=${folderId}`
    await operator.fetch(path, { signal: leave.signal })
    expect((await operator.lists()).status).toBe(200)
    expect(await operator.get(`${operator.door.assets}?limit=0`)).toEqual(refusal('invalid-request'))
    expect(await operator.get(`${operator.door.assets}/asset_01h00000000000000000000000`)).toEqual(
      refusal('not-found'),
    )
    for (let i = 0; i < 5; i++)
      await operator.fetch(operator.door.assets, { signal: AbortSignal.timeout(1 + i) }).catch(() => {})
    await expect
      .poll(async () => (await operator.lists()).status, { message: 'once the server has noticed' })
      .toBe(200)
    leave.abort()
    for (const stream of streams) stream.leaves()
  })
})

test('a route that hijacks its reply without saying so gets nothing sent', async () => {
  const home = await newHome()
  const parts = await openParts(readConfig({ ...home.environment, ROLE: 'api' }), log)
  const app = await buildApp(parts, { log })
  const hijacks: RouteHandlerMethod = async (_, reply) => {
    reply.hijack()
    reply.raw.end('sent')
  }
  app.get('/silent', { config: { permission: 'login' }, schema: { hide: true } }, hijacks)
  const outspoken = { permission: 'login', waitsElsewhere: true } as const
  app.get('/outspoken', { config: outspoken, schema: { hide: true } }, hijacks)
  const headers = (await newClient({ url: '', parts })).operator.credentials
  expect((await app.inject({ url: '/silent', headers })).statusCode).toBe(500)
  expect((await app.inject({ url: '/outspoken', headers })).body).toBe('sent')
  await app.close()
  await parts.close()
  await home.remove()
})

const makesFolder = ({ operator }: ClientWorld, number: number) =>
  operator.post(`${operator.door.assets}/folders`, { name: `Folder ${number}` })

/** As a change that takes long would, until it is told to go on. */
async function stopChangesOf({ clientId }: ClientWorld, { DATABASE_URL }: Environment) {
  const other = new pg.Client(DATABASE_URL!)
  await other.connect()
  await other.query('begin')
  await other.query('select from client_counters where client_id = $1 for update', [clientId])
  return () => other.end()
}
