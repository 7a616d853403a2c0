import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { nextEvents } from '../event-reader.ts'
import { type Person, person, puts } from '../person.ts'
import { png } from '../pictures.ts'
import { freePort } from '../setup/postgres.ts'
import { strays } from '../strays.ts'
import { adminLogin, firstSignIn, signIn } from '../world.ts'
import { startBalancer } from './balancer.ts'
import { startFleet } from './fleet.ts'
import { experiment } from './table.ts'

vi.setConfig({ testTimeout: 300_000 })

const publicPort = await freePort()
const fleet = await startFleet(publicPort)
afterAll(() => fleet.stop())
const { pool } = fleet.database
const rows = async <T>(sql: string) => (await pool.query(sql)).rows as T[]

const ports = await Promise.all(Array.from({ length: 4 }, freePort))
let [a, b] = [fleet.start('api-a', 'api', ports[0]!), fleet.start('api-b', 'api', ports[1]!)]
const workers = [fleet.start('worker-1', 'worker', ports[2]!), fleet.start('worker-2', 'worker', ports[3]!)]
await Promise.all([a, b, ...workers].map(({ ready }) => ready))
const balancer = await startBalancer([a.url, b.url], publicPort)
afterAll(() => balancer.stop())
while (!balancer.isReady(a.url) || !balancer.isReady(b.url)) await pause(50)

// One login serves every node.
const cookie = await signIn(a.url, adminLogin.email, adminLogin.password)
const { clientId } = (await person(a.url, { cookie }).post('/admin/clients', { name: 'Harbour Café' })).body
const door = { assets: `/admin/clients/${clientId}/assets`, events: `/admin/clients/${clientId}/events` }
const at = (url: string) => person(url, { cookie }, door)

test('four processes that started together on an empty database have migrated it once, with one admin', async () => {
  const applied = await rows<{ name: string; times: number }>(
    'select name, count(*) as times from schema_migrations group by name',
  )
  expect(applied.length).toBeGreaterThan(4)
  expect(applied.filter(({ times }) => times !== 1)).toEqual([])
  expect(await rows('select email from users')).toEqual([{ email: adminLogin.email }])
})

test('an upload begun on one node is finalized on the other, and both tell of it', async () => {
  const streams = await Promise.all([a, b].map(({ url }) => nextEvents(at(url))))
  const { body: session } = await at(a.url).opensUpload({ expectedSizeBytes: png(9, 9).length })
  await puts(session, png(9, 9))
  const finalized = await at(b.url).finalizes(session.uploadToken)
  expect(finalized.status).toBe(201)
  expect((await at(a.url).finalizes(session.uploadToken)).body.assetId).toBe(finalized.body.assetId)
  const wanted = ['upload.created', 'upload.finalized', 'asset.created', 'asset.media'] // the last one by a worker
  for (const stream of streams) {
    expect((await stream.take(wanted.length)).map(({ event }) => event)).toEqual(wanted)
    stream.leaves()
  }
})

test('rights taken away on one node are gone on both, and end a stream on the other', async () => {
  const user = { email: 'op@example.com', name: 'Op', role: 'operator', password: 'a long enough password' }
  const { body } = await at(a.url).post('/admin/users', { ...user, clientIds: [clientId] })
  const session = { cookie: await firstSignIn(a.url, user.email, user.password) }
  const [onA, onB] = [a, b].map(({ url }) => person(url, session, door))
  expect((await onB!.lists()).status).toBe(200)
  const stream = await nextEvents(onB!)
  await at(a.url).patch(`/admin/users/${body.userId}`, { isActive: false })
  expect([(await onA!.lists()).status, (await onB!.lists()).status]).toEqual([401, 401])
  await stream.ended
})

test('a worker killed at its work, then every node restarted in turn: no job and no request is lost', async () => {
  const pictures = Array.from({ length: 12 }, (_, shade) => png(4000, 3000, [shade * 20, 90, 60]))
  const acknowledged: Asset[] = []
  for (const picture of pictures) acknowledged.push(await at(balancer.url).uploads(picture))
  const active = async () =>
    (
      await rows<{ n: number }>(
        `select count(*) as n from jobs.job where name = 'media' and state = 'active'`,
      )
    )[0]!.n
  while ((await active()) < 4) await pause(10) // two on each worker
  await workers[0]!.kill()
  const killedAt = Date.now()

  const load = startLoad(at(balancer.url))
  const follower = followAll(at(balancer.url))
  for (const restart of [
    async () => {
      expect(await a.leaves()).toBe(0)
      a = fleet.start('api-a', 'api', ports[0]!)
      await a.ready
      while (!balancer.isReady(a.url)) await pause(50)
    },
    async () => {
      expect(await b.leaves()).toBe(0)
      b = fleet.start('api-b', 'api', ports[1]!)
      await b.ready
      while (!balancer.isReady(b.url)) await pause(50)
    },
  ])
    await restart()
  await pause(1000)
  acknowledged.push(...(await load.stop()))

  const pending = `select id from assets where media_state <> 'ready'`
  while ((await rows(pending)).length > 0) await pause(200)
  const recoveredInSeconds = (Date.now() - killedAt) / 1000
  const redone = await rows<{ n: number }>(
    `select count(*) as n from jobs.job where name = 'media' and retry_count > 0 and state = 'completed'`,
  )
  const last = await rows<{ id: number }>(`select max(id) as id from events where client_id = '${clientId}'`)
  const ids = await follower.until(last[0]!.id)

  const lost: string[] = []
  for (const { assetId, sha256 } of acknowledged) {
    const { body } = await at(balancer.url).reads(assetId)
    if (body.sha256 !== sha256 || body.media?.state !== 'ready') lost.push(assetId)
  }
  const { orphans, missing } = await strays(fleet.database.db, fleet.store)
  console.log(
    `${balancer.counts.requests} requests through two nodes, ${balancer.failures.length} failed; ${acknowledged.length} uploads; ${redone[0]!.n} jobs of the killed worker done by the other`,
  )
  experiment({
    experiment: 'two nodes, two workers',
    load: `${balancer.counts.requests} requests, ${acknowledged.length} uploads`,
    faults: 'a worker killed, both nodes restarted',
    lost: lost.length + missing.length,
    leaked: orphans.length,
    recoveredInSeconds,
  })
  expect(balancer.failures).toEqual([])
  expect(load.refused).toEqual([])
  expect(lost).toEqual([])
  expect({ orphans, missing }).toEqual({ orphans: [], missing: [] })
  expect(redone[0]!.n).toBeGreaterThan(0)
  expect(ids).toEqual(ids.map((_, place) => ids[0]! + place))
  expect(recoveredInSeconds).toBeLessThan(90)
})

/** People at work: lists, folders and uploads, some at a time, until told to stop. */
function startLoad(someone: Person) {
  const refused: string[] = []
  const assets: Asset[] = []
  let over = false
  const expects = (what: string, { status, body }: { status: number; body: unknown }, wanted: number) => {
    if (status !== wanted) refused.push(`${what}: ${status} ${JSON.stringify(body)}`)
  }
  const works = async (who: number) => {
    for (let round = 0; !over; round++) {
      expects('list', await someone.lists(), 200)
      expects('folder', await someone.post(`${door.assets}/folders`, { name: `Folder ${who}-${round}` }), 201)
      const picture = png(3, 3, [who, round & 255, round >> 8])
      const opened = await someone.opensUpload({ expectedSizeBytes: picture.length })
      expects('session', opened, 201)
      await puts(opened.body, picture)
      const finalized = await someone.finalizes(opened.body.uploadToken)
      expects('finalize', finalized, 201)
      assets.push(finalized.body)
      await pause(20)
    }
  }
  const people = [0, 1, 2, 3].map((who) => works(who).catch((error) => refused.push(String(error))))
  return {
    refused,
    async stop() {
      over = true
      await Promise.all(people)
      return assets
    },
  }
}

/** A browser that follows the events through all restarts: ended, it goes on behind what it has seen. */
function followAll(someone: Person) {
  const ids: number[] = []
  let over = false
  let leave = () => {}
  const following = (async () => {
    while (!over) {
      const stream = await nextEvents(someone, ids.at(-1) ?? 0)
      leave = stream.leaves
      for (;;) {
        const message = await stream.next().catch(() => undefined)
        if (!message) break
        ids.push(Number(message.id))
      }
      await pause(100)
    }
  })()
  return {
    async until(id: number): Promise<number[]> {
      while ((ids.at(-1) ?? 0) < id) await pause(50)
      over = true
      leave()
      await following
      return ids
    },
  }
}
