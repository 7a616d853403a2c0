import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { openPipeline } from '../server/db/pipeline.ts'
import { askDirectly, PreparingClient } from '../server/db/prepared.ts'
import { asProblem } from '../server/http/answers.ts'
import { faultProxy } from './fault-proxy.ts'
import { newClient, newHome, startServer } from './world.ts'

const home = await newHome()
afterAll(() => home.remove())

describe('statements on one connection', async () => {
  const line = await faultProxy({ port: Number(new URL(home.environment.DATABASE_URL!).port) })
  let connected = 0
  const pipeline = openPipeline(async () => {
    const client = new PreparingClient({
      connectionString: line.before(home.environment.DATABASE_URL!),
      pipeline: true,
    })
    client.on('error', () => {})
    await client.connect()
    connected++
    return client
  }, 1500)
  afterAll(async () => {
    await pipeline.close()
    await line.stop()
  })
  const doubled = async (n: unknown) =>
    (await pipeline.ask<{ n: number }>('select $1::int * 2 as n', [n]))![0]!.n
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error) => asProblem(error).code,
    )

  test('are asked without waiting for each other, and each gets its own answer', async () => {
    expect(await doubled(1)).toBe(2)
    let answered = 0
    const slow = pipeline.ask('select pg_sleep(1)', []).then(() => answered++)
    await pause(100)
    const before = line.carried()
    const asked = Array.from({ length: 200 }, (_, n) => doubled(n))
    await expect.poll(() => line.carried() - before).toBeGreaterThan(200 * 20)
    expect(answered).toBe(0)
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => n * 2))
    await slow
    expect([answered, connected]).toEqual([1, 1])
  })

  test('fail alone', async () => {
    const [before, bad, after] = await Promise.all([doubled(1), codeOf(doubled('x')), doubled(2)])
    expect([before, bad, after]).toEqual([2, 'internal-error', 4])
    expect(connected).toBe(1)
  })

  test('that are cut off are refused, and the next ones have a new connection', async () => {
    const slow = codeOf(pipeline.ask('select pg_sleep(60)', []))
    const behind = codeOf(doubled(3))
    await pause(100)
    line.reset()
    expect(await Promise.all([slow, behind])).toEqual(['database-unavailable', 'database-unavailable'])
    expect(await doubled(4)).toBe(8)
    expect(connected).toBe(2)
  })

  test('that go nowhere are given up, however much is sent behind them', async () => {
    line.weather({ trouble: 'swallow' })
    const first = codeOf(doubled(5))
    let over = false
    const others = (async () => {
      const all: Promise<string>[] = []
      for (; !over; await pause(20)) all.push(codeOf(doubled(6)))
      return Promise.all(all)
    })()
    expect(await first).toBe('database-unavailable')
    line.weather({})
    over = true
    await others
    expect(await doubled(7)).toBe(14)
  })

  test('are refused while nobody can be reached, and answered as soon as somebody can', async () => {
    line.weather({ trouble: 'reset' })
    line.cut()
    await expect.poll(() => codeOf(doubled(8))).toBe('database-unavailable')
    line.weather({})
    await expect.poll(() => codeOf(doubled(9))).toBe('answered')
  })
})

test('whoever calls is recognised while every connection of the pool is at work', async () => {
  const server = await startServer({ ...home.environment, DATABASE_POOL: '2' })
  try {
    const { operator } = await newClient(server)
    let working = true
    const work = Promise.all(
      Array.from({ length: 2 }, () => sql`select pg_sleep(2)`.execute(server.parts.db)),
    ).then(() => {
      working = false
    })
    expect((await operator.get('/auth/me')).status).toBe(200)
    expect(working).toBe(true)
    await work
  } finally {
    await server.stop()
  }
})

test('whoever calls is recognised by the pool where the database has no connection left', async () => {
  const server = await startServer(home.environment)
  try {
    const { operator } = await newClient(server)
    const full = openPipeline(() => Promise.reject(Object.assign(new Error('Full'), { code: '53300' })), 1000)
    askDirectly(server.parts.db, server.parts.database.pool, { callers: full, rows: full })
    expect((await operator.get('/auth/me')).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('whoever calls is recognised while a table is locked that others ask for', async () => {
  const server = await startServer(home.environment)
  const locking = new pg.Client(home.environment.DATABASE_URL!)
  await locking.connect()
  try {
    const { operator } = await newClient(server)
    const { operator: another } = await newClient(server)
    const asset = await operator.uploads()
    await locking.query('begin; lock table assets in access exclusive mode')
    let waits = true
    const held = operator.get(`${operator.door.assets}/${asset.assetId}`).finally(() => {
      waits = false
    })
    await pause(200)
    expect((await another.get('/auth/me')).status).toBe(200)
    expect(waits).toBe(true)
    await locking.query('rollback')
    expect((await held).status).toBe(200)
  } finally {
    await locking.end()
    await server.stop()
  }
})
