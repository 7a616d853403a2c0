import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { asProblem } from '../server/http/answers.ts'
import { nextEvents } from './event-reader.ts'
import { faultProxy } from './fault-proxy.ts'
import { refusal } from './refusal.ts'
import { newClient, newHome, startServer } from './world.ts'

// On PostgreSQL alone: the embedded database belongs to the server and cannot be away.
describe('a database that goes away', async () => {
  const home = await newHome()
  const line = await faultProxy({ port: Number(new URL(home.environment.DATABASE_URL!).port) })
  const server = await startServer({
    ...home.environment,
    DATABASE_URL: line.before(home.environment.DATABASE_URL!),
    DATABASE_SECONDS: '1',
  })
  afterAll(async () => {
    await server.stop()
    await line.stop()
    await home.remove()
  })

  test('is asked for plans of short statements', async () => {
    const { rows } = await sql`select current_setting('jit') as jit,
      current_setting('max_parallel_workers_per_gather') as parallel`.execute(server.parts.db)
    expect(rows).toEqual([{ jit: 'off', parallel: '0' }])
  })

  test('under many changes leaves each made or not made, and says which as soon as it is back', async () => {
    const { operator } = await newClient(server)
    const folders = `${operator.door.assets}/folders`
    const before = line.open()
    let number = 0
    let over = false
    const made: string[] = []
    const refused: { status: number; code: string }[] = []
    const people = Array.from({ length: 12 }, async () => {
      while (!over) {
        const { status, body } = await operator.post(folders, { name: `Folder ${number++}` })
        if (status === 201) made.push(body.folderId)
        else refused.push({ status, code: body.code })
      }
    })
    for (const trouble of ['reset', 'swallow', 'reset'] as const) {
      await pause(200)
      line.weather({ trouble })
      await pause(1500)
      line.weather({})
    }
    while ((await operator.post(folders, { name: `Back ${number++}` })).status !== 201) await pause(50)
    over = true
    await Promise.all(people)

    expect(refused.length).toBeGreaterThan(0)
    for (const refusal of refused) expect(refusal).toEqual({ status: 503, code: 'database-unavailable' })
    const there = new Set<string>()
    let cursor = ''
    do {
      const { body } = await operator.get(`${folders}?limit=200${cursor && `&cursor=${cursor}`}`)
      for (const { folderId } of body.folders) there.add(folderId)
      cursor = body.nextCursor
    } while (cursor)
    expect(made.filter((folderId) => !there.has(folderId))).toEqual([])

    // Whoever listens has come back once, not once for each attempt.
    const [pooled, pipelines, listener] = [10, 2, 1]
    await expect.poll(line.open).toBeLessThanOrEqual(Math.max(before, pooled + pipelines + listener))
  })

  test('and swallows what it is asked is not waited for, and is listened to again', async () => {
    const { operator } = await newClient(server)
    line.weather({ trouble: 'swallow' })
    const asked = await Promise.all(Array.from({ length: 30 }, () => operator.lists()))
    for (const answer of asked) expect(answer).toEqual(refusal('database-unavailable'))
    line.weather({})

    const deadline = Date.now() + 45_000
    const inTime = async () => {
      const stream = await nextEvents(operator)
      await operator.makesFolder(`Heard ${Date.now()}`)
      const heard = await Promise.race([stream.next(), pause(500)])
      stream.leaves()
      return heard !== undefined
    }
    // A stream looks by itself now and then: one that is heard may be luck.
    for (let heard = 0; heard < 4; heard = (await inTime()) ? heard + 1 : 0)
      expect(Date.now()).toBeLessThan(deadline)
  })

  test('keeps nobody waiting for what takes too long, and its connections are as good as before', async () => {
    const { operator, clientId } = await newClient(server)
    const other = new pg.Client(home.environment.DATABASE_URL!)
    await other.connect()
    await other.query('begin')
    await other.query('select from client_counters where client_id = $1 for update', [clientId])
    const folders = `${operator.door.assets}/folders`
    expect(await operator.post(folders, { name: 'Waits' })).toEqual(refusal('database-unavailable'))
    await other.query('rollback')
    await other.end()
    expect((await operator.post(folders, { name: 'Waits' })).status).toBe(201)
  })

  test('is blamed for its own silence alone', async () => {
    const { db } = server.parts
    const codeOf = async (work: Promise<unknown>) =>
      asProblem(
        await work.then(
          () => new Error('It did not fail.'),
          (error) => error,
        ),
      ).code
    // A value of our making that it cannot take is no fault of the caller's.
    expect(await codeOf(sql`select ${'x'}::int`.execute(db))).toBe('internal-error')
    expect(await codeOf(sql`select from nowhere`.execute(db))).toBe('internal-error')
    // Nor is a line to somebody else a line to it.
    expect(await codeOf(fetch('http://127.0.0.1:1').catch((error) => Promise.reject(error.cause)))).toBe(
      'internal-error',
    )
    line.weather({ trouble: 'reset' })
    expect(await codeOf(sql`select 1`.execute(db))).toBe('database-unavailable')
    line.weather({})
  })
})
